"""The mathematics of ratings: arrays in, arrays out; knows no cell, no file and no host."""
