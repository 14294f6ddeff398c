"""Where things are kept: hotel databases, turn log, checkpoints."""
