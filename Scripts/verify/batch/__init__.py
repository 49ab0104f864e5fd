"""The cases of batch.py, one kind of trouble in each file."""
