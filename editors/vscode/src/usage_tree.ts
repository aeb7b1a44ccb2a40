// The uses of a name as a tree: those bound to the definition before lines that only hold the name, then by file.

import type { FindUsagesResult, Span, Usage } from "./operations.ts";
import { visible } from "./shown_text.ts";

/** A line that is shown: of all uses of one certainty, of a file, or one use. */
export interface UsageNode {
  label: string;
  /** The stretches of the label that are the name. */
  highlights: Array<[number, number]>;
  description: string;
  tooltip: string;
  /** The name of an icon of VS Code's. */
  icon: string;
  place: { file: string; span: Span } | null;
  children: UsageNode[];
}

/** Characters of a line that are shown before the name. */
const MOST_BEFORE = 24;

const CERTAINTIES = [
  {
    certainty: "bound",
    label: "Bound to the definition",
    tooltip: "Scopes, imports, the receiver or the container say that these mean it.",
    icon: "references",
  },
  {
    certainty: "name",
    label: "Name only",
    tooltip: "These lines hold the name; that they mean this definition is not known.",
    icon: "question",
  },
] as const;

/** The uses, in the order of the answer; `name` is what they use. */
export function usageTree(answer: FindUsagesResult, name: string): UsageNode[] {
  return CERTAINTIES.flatMap(({ certainty, ...shown }) => {
    const uses = answer.usages.filter((use) => use.certainty === certainty);
    const description = uses.length.toLocaleString("en-US");
    const node: UsageNode = { ...shown, description, highlights: [], place: null, children: byFile(uses, name) };
    return uses.length === 0 ? [] : [node];
  });
}

/** What to say above the tree: what of the uses it does not show. */
export function usagesLeftOut(answer: FindUsagesResult): string {
  const count = (value: number) => value.toLocaleString("en-US");
  const parts: string[] = [];
  if (answer.truncated || answer.total > answer.usages.length) {
    parts.push(`The first ${count(answer.usages.length)} of ${answer.at_least ? "at least " : ""}${count(answer.total)}.`);
  } else if (answer.at_least) {
    parts.push("There may be more: many files hold this name.");
  }
  if (answer.others > 0) {
    parts.push(`${count(answer.others)} ${answer.others === 1 ? "line means" : "lines mean"} another definition of this name.`);
  }
  return parts.join(" ");
}

function byFile(uses: Usage[], name: string): UsageNode[] {
  const files = new Map<string, UsageNode>();
  for (const use of uses) {
    const cut = use.path.lastIndexOf("/");
    const file = files.get(use.path) ?? {
      label: visible(use.path.slice(cut + 1)),
      highlights: [],
      description: visible(use.path.slice(0, Math.max(cut, 0))),
      tooltip: visible(use.path),
      icon: "file",
      place: null,
      children: [],
    };
    files.set(use.path, file);
    file.children.push(line(use, name));
  }
  return [...files.values()];
}

function line(use: Usage, name: string): UsageNode {
  const within = use.container === "" ? [] : [`in ${visible(use.container)}`];
  const label = use.text === "" ? `line ${use.line}` : fromNear(name, visible(use.text));
  const certainty = use.certainty === "bound" ? "bound to the definition" : "name only";
  return {
    label,
    highlights: occurrences(name, label),
    description: [`:${use.line}`, use.role, ...within].join(" · "),
    tooltip: [`${visible(use.path)}:${use.line}`, `${use.role}, ${certainty}`, ...within].join("\n"),
    icon: "",
    place: use.absolute_path === null ? null : { file: use.absolute_path, span: use.span },
    children: [],
  };
}

/** A line from a little before the name on, which is to be seen in a narrow side bar. */
function fromNear(name: string, text: string): string {
  const at = occurrences(name, text)[0]?.[0] ?? 0;
  if (at <= MOST_BEFORE) {
    return text;
  }
  const space = text.indexOf(" ", at - MOST_BEFORE);
  return `…${text.slice(space >= 0 && space < at ? space + 1 : at - MOST_BEFORE)}`;
}

/** Where a name stands in a line, as a whole word. */
function occurrences(word: string, text: string): Array<[number, number]> {
  const found: Array<[number, number]> = [];
  const isPart = (character: string) => /[\p{L}\p{N}_$]/u.test(character);
  for (let at = text.indexOf(word); word !== "" && at >= 0; at = text.indexOf(word, at + word.length)) {
    const end = at + word.length;
    if (!isPart(text.charAt(at - 1)) && !isPart(text.charAt(end))) {
      found.push([at, end]);
    }
  }
  return found;
}
