"""Guest Desk: one right answer for a hotel guest, in their own language."""
