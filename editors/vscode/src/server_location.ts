// Where the server's program is: the setting, the PATH, or the environment that the extension made for it.

import * as path from "node:path";

/** A command that is `pilotfish`, and where it comes from. */
export interface Program {
  command: string;
  arguments: string[];
  origin: "setting" | "PATH" | "installed";
}

/** Why there is no program to run: nothing was found, or the setting names none. */
export interface NoProgram {
  reason: "not found" | "bad setting";
  message: string;
}

export interface Surroundings {
  platform: NodeJS.Platform;
  pathVariable: string;
  /** The workspace's folders; no program of theirs is run unless the setting names it. */
  folders: string[];
  isProgram(file: string): boolean;
}

/** Find the server: `setting` wins, then the PATH, then `installed`, the Python of the extension's own environment. */
export function locateServer(setting: string, installed: string | null, around: Surroundings): Program | NoProgram {
  if (setting !== "") {
    return programOfSetting(setting, around);
  }
  const found = findOnPath("pilotfish", around);
  if (found !== null) {
    return { command: found, arguments: [], origin: "PATH" };
  }
  if (installed !== null && around.isProgram(installed)) {
    return { command: installed, arguments: ["-I", "-m", "pilotfish"], origin: "installed" };
  }
  return { reason: "not found", message: "Pilotfish's server is not installed." };
}

function programOfSetting(setting: string, around: Surroundings): Program | NoProgram {
  const rules = around.platform === "win32" ? path.win32 : path.posix;
  if (!rules.isAbsolute(setting)) {
    return { reason: "bad setting", message: `The setting pilotfish.server.path is no absolute path: ${setting}` };
  }
  if (!around.isProgram(setting)) {
    return { reason: "bad setting", message: `The setting pilotfish.server.path names no program: ${setting}` };
  }
  return { command: setting, arguments: [], origin: "setting" };
}

/** Find a program in the absolute folders of the PATH that lie outside the workspace. */
export function findOnPath(name: string, around: Surroundings): string | null {
  const rules = around.platform === "win32" ? path.win32 : path.posix;
  const names = around.platform === "win32" ? [`${name}.exe`] : [name];
  const folders = around.pathVariable
    .split(rules.delimiter)
    .filter((folder) => rules.isAbsolute(folder) && !around.folders.some((outer) => isInside(folder, outer, rules)));
  for (const folder of folders) {
    const found = names.map((each) => rules.join(folder, each)).find((file) => around.isProgram(file));
    if (found !== undefined) {
      return found;
    }
  }
  return null;
}

function isInside(folder: string, outer: string, rules: path.PlatformPath): boolean {
  const way = rules.relative(outer, folder);
  return way === "" || (!way.startsWith("..") && !rules.isAbsolute(way));
}
