"""What code reads from the guest's own words."""
