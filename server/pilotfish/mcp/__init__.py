"""The MCP front: the operations of the registry as tools for agents, from the index that the editor sees."""
