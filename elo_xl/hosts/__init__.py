"""Where the worksheet functions live: one module or folder a host, all made from the catalogue."""
