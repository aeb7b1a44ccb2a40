"""The process that owns one root: the only writer of its index. Fronts reach it through `engine.client`."""
