"""What agents may use, and the shape of their tool loops."""
