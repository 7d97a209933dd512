"""Why a rating changed as it did."""
