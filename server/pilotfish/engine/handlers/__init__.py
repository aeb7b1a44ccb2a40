"""What the engine answers: one module per operation, paired with its declaration in `operations`."""
