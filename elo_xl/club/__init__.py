"""A club's book over the years: events put in, periods closed and corrected, steps taken back."""
