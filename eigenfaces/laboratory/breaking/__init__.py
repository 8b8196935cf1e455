"""A face is disturbed: what becomes of its verdict, and what recipes withstand."""
