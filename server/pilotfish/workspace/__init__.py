"""The working tree: paths, which files belong to the index, git, and changes on disk."""
