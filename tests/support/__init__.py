"""What tests are made with: other programs, oracles, invented events."""
