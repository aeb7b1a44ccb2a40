// Which settings reach the server, and how. Only what a person has set is sent: a default of VS Code's would win over
// the person's own settings file. Settings of a folder travel with the session; those of scope `machine` shape the
// index or name places, and stand in the server's environment.

/** What the manifest says of one setting. */
export interface Declared {
  scope?: string;
}

/** The values of one setting, by who set it; none is the default. */
export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

export type Inspect = (name: string) => Inspected | undefined;

/** The sections that this extension keeps for itself. */
const OWN_SECTIONS = ["server", "trace"];

/** All settings of the server, by name without the leading `pilotfish.`. */
export function serverSettings(sections: Array<{ properties: Record<string, Declared> }>): Map<string, Declared> {
  const declared = new Map<string, Declared>();
  for (const section of sections) {
    for (const [name, setting] of Object.entries(section.properties)) {
      const key = name.replace(/^pilotfish\./, "");
      if (!OWN_SECTIONS.includes(key.split(".")[0] ?? "")) {
        declared.set(key, setting);
      }
    }
  }
  return declared;
}

/** The settings of a session that somebody has set, as a tree. */
export function sessionSettings(declared: Map<string, Declared>, inspect: Inspect): Record<string, object> {
  const tree: Record<string, Record<string, unknown>> = {};
  for (const [name, setting] of declared) {
    const values = setting.scope === "machine" ? undefined : inspect(name);
    const value = values?.workspaceFolderValue ?? values?.workspaceValue ?? values?.globalValue;
    if (value !== undefined) {
      const [section = "", key = ""] = name.split(".");
      (tree[section] ??= {})[key] = value;
    }
  }
  return tree;
}

/** The variables that hand the machine's settings to the server. */
export function serverEnvironment(declared: Map<string, Declared>, inspect: Inspect): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, setting] of declared) {
    const value = setting.scope === "machine" ? inspect(name)?.globalValue : undefined;
    if (value !== undefined) {
      const variable = `PILOTFISH_${name.replace(".", "_").toUpperCase()}`;
      variables[variable] = typeof value === "string" ? value : JSON.stringify(value);
    }
  }
  return variables;
}
