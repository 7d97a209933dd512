"""The mathematics of ratings: arrays in, arrays out. It knows nothing of cells, files or hosts."""
