"""A club's book over the years: events put in, periods closed, steps taken back."""
