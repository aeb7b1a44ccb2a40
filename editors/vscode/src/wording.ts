// The server's advice in the words of this editor: it names operations and their parameters, a person has commands and
// filters.

import { TITLES } from "./operations.ts";
import { PREFIXES } from "./query_prefix.ts";

export function spelled(advice: string): string {
  return advice
    .replace(/\bpage=\d+/g, "a larger max:")
    .replace(/\b([a-z_]+)=(\w+)/g, (said, parameter, value) => {
      const prefix = PREFIXES.get(parameter);
      return prefix === undefined ? said : `${prefix}${value}`;
    })
    .replace(/\bwithout (\w+)/g, (said, parameter) => {
      const prefix = PREFIXES.get(parameter);
      return prefix === undefined ? said : `without ${prefix}`;
    })
    .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => PREFIXES.get(name) ?? titled(name) ?? name);
}

function titled(operation: string): string | undefined {
  const title = TITLES[operation];
  return title === undefined ? undefined : `“${title}”`;
}
