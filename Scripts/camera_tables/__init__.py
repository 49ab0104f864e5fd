"""Parts of Scripts/camera-table."""
