"""Questions in words, by name and by text: what may answer them, in which order, and a page of it."""
