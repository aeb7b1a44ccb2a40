// What a person types to search: words, and filters by prefix among them.

import type { SearchCodeParameters } from "./operations.ts";

type Parameters = Partial<SearchCodeParameters> & { query: string };

/** What a person typed: the question as the server takes it, or what is wrong with a filter. */
export interface Typed {
  parameters: Parameters;
  problem: string;
}

interface Filter {
  parameter: keyof SearchCodeParameters;
  choices?: readonly string[];
  most?: number;
}

/** The filters that a question may hold, the same as in other editors, and the parameter of `search_code` that each is. */
const FILTERS: Record<string, Filter> = {
  lang: { parameter: "language" },
  path: { parameter: "file_filter" },
  kind: { parameter: "kind" },
  tests: { parameter: "tests", choices: ["auto", "include", "exclude", "only"] },
  by: { parameter: "search_type", choices: ["hybrid", "semantic", "symbol", "text"] },
  max: { parameter: "max_results", most: 500 },
};

const FILTER = new RegExp(`(^|\\s)(${Object.keys(FILTERS).join("|")}):(?:"([^"]*)"?|(\\S*))`, "g");

/** The prefix of each parameter that a filter sets. */
export const PREFIXES = new Map<string, string>(Object.entries(FILTERS).map(([prefix, { parameter }]) => [parameter, `${prefix}:`]));

/** Read `lang:go path:"cmd/my tool" where is it started`; a filter without a value yet is none. */
export function parseQuery(typed: string): Typed {
  const filters: Record<string, string | number> = {};
  const problems: string[] = [];
  const rest = typed.replace(FILTER, (_all, before: string, prefix: string, quoted?: string, plain?: string) => {
    const value = quoted ?? plain ?? "";
    const filter = FILTERS[prefix];
    if (value !== "" && filter !== undefined) {
      problems.push(...problemWith(prefix, filter, value));
      filters[filter.parameter] = valueOf(filter, value);
    }
    return before;
  });
  const query = Object.keys(filters).length === 0 ? rest.trim() : rest.replace(/\s+/g, " ").trim();
  return { parameters: { ...filters, query }, problem: problems.join(" ") };
}

function valueOf(filter: Filter, value: string): string | number {
  if (filter.most !== undefined) {
    return Number(value);
  }
  // Kinds of two words are written in one: kind:enum-member.
  return filter.parameter === "kind" ? value.replace(/[-_]/g, " ") : value;
}

function problemWith(prefix: string, { choices, most }: Filter, value: string): string[] {
  if (choices !== undefined && !choices.includes(value)) {
    return [`${prefix}: takes ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}, not ${value}.`];
  }
  if (most !== undefined && !(Number.isInteger(Number(value)) && Number(value) >= 1 && Number(value) <= most)) {
    return [`${prefix}: takes a number from 1 to ${most}, not ${value}.`];
  }
  return [];
}
