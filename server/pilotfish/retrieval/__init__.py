"""How a question finds code: what it asks for, which evidence speaks for a piece of code, in which order answers come.

Pure functions over plain data. Who calls them brings the evidence: scores of full text, cosines, votes of past commits.
"""
