// What a person types to search: words, and filters by prefix among them.

/** The filters that a query may hold, and the parameter of `search_code` that each sets. */
const FILTERS = { lang: "language", path: "file_filter", kind: "kind", tests: "tests" } as const;

const TEST_CHOICES = ["auto", "include", "exclude", "only"] as const;

export interface Query {
  query: string;
  language?: string;
  file_filter?: string;
  kind?: string;
  tests?: (typeof TEST_CHOICES)[number];
}

/** Read `lang:go path:"cmd/my tool" where is it started`; a filter without a value yet is none. */
export function parseQuery(typed: string): Query {
  const filters: Record<string, string> = {};
  const rest = typed.replace(/(^|\s)(lang|path|kind|tests):(?:"([^"]*)"?|(\S*))/g, (_all, before, name, quoted, plain) => {
    const value: string = quoted ?? plain;
    if (value !== "") {
      filters[FILTERS[name as keyof typeof FILTERS]] = value;
    }
    return before;
  });
  const { tests, ...others } = filters;
  const query: Query = { query: rest.replace(/\s+/g, " ").trim(), ...others };
  const choice = TEST_CHOICES.find((each) => each === tests);
  return choice === undefined ? query : { ...query, tests: choice };
}
