; What a notebook defines lies in its cells (`syntax.notebooks`).
