// Paths of files: relative to a root with `/`, as the server has them, and absolute, as the machine has them.

import * as path from "node:path";

/** The path of a file relative to a root; null where it lies outside. */
export function relativeTo(root: string, file: string, rules: path.PlatformPath = path): string | null {
  const way = rules.relative(root, file);
  const parts = way.split(rules.sep);
  return way === "" || parts[0] === ".." || rules.isAbsolute(way) ? null : parts.join("/");
}

/** The file at a relative path; null where that leads out of the root. */
export function within(root: string, relative: string, rules: path.PlatformPath = path): string | null {
  const file = rules.join(root, ...relative.split("/"));
  return relativeTo(root, file, rules) === null ? null : file;
}
