"""What is kept on disk for a root; knows no protocol."""
