"""Comments and string literals of many languages as regular expressions: what `Language.opaque` is made of.

Every alternative begins with a letter as it stands, since only then is the next one looked for at the speed of a
search.
"""

from __future__ import annotations

# Each runs over plain characters in one step; possessive, so that an open literal at the end costs no second look.
BLOCK = rb"/\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)(?:\*/|\Z)"
LINE_SLASH = rb"//[^\r\n]*"
LINE_HASH = rb"#[^\r\n]*"
DOUBLE = rb'"[^"\\\r\n]*+(?>(?:\\.[^"\\\r\n]*+)*)"?'
SINGLE = rb"'[^'\\\r\n]*+(?>(?:\\.[^'\\\r\n]*+)*)'?"
MULTI_DOUBLE = rb'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"?'
MULTI_SINGLE = rb"'[^']*'?"
TEMPLATE = rb"`[^`\\]*+(?>(?:\\.[^`\\]*+)*)`?"
CHARACTER = rb"'(?:\\[^\r\n]{1,10}?|[^'\\\r\n]{1,4})'"
TRIPLE_DOUBLE = rb'"""[^"\\]*+(?>(?:(?:\\.|"(?!""))[^"\\]*+)*)(?:"""|\Z)'
TRIPLE_SINGLE = rb"'''[^'\\]*+(?>(?:(?:\\.|'(?!''))[^'\\]*+)*)(?:'''|\Z)"
C_LIKE = (BLOCK, LINE_SLASH, DOUBLE, CHARACTER)
SCRIPT = (BLOCK, LINE_SLASH, DOUBLE, SINGLE, TEMPLATE)
TRIPLE = (TRIPLE_DOUBLE, TRIPLE_SINGLE)
