; What a component defines lies in its script, which is injected. Components that it uses have names with capitals.

(tag_name) @reference.call.capital
