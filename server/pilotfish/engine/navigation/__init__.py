"""From a place or a name to its definitions and uses: what hover, navigation and the commands by name share.

`places` tells what the name at a place means, `names` which definitions are called so. `holders` finds the files that
may use them, `uses` the uses in these; `judged` tells the uses of what is meant from those of its namesakes, `pages`
lists them for those who ask by name.
"""
