"""From bytes to structural facts: pure, with no file system and no database."""
