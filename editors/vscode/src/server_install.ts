// The extension's own environment for the server, made once a person has agreed: from the wheel and the constraints
// that the extension carries. Only what the wheel depends on is downloaded.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs/promises";
import * as path from "node:path";

import { isNewEnough, VERSION_QUESTION } from "./python_location.ts";

/** What tells that an environment was made to its end. */
const COMPLETE = "complete";
const QUESTION_MS = 10_000;
/** How often it is looked whether another window is done. */
const TURN_MS = 500;

export interface Installation {
  /** The extension's folder of wheel and constraints. */
  carried: string;
  /** The folder in the extension's storage that holds environments. */
  storage: string;
  platform: NodeJS.Platform;
}

/** The Python of the environment for what is carried; null while there is none. */
export async function installedPython(place: Installation): Promise<string | null> {
  const folder = await environmentFolder(place);
  const isComplete = folder !== null && (await exists(path.join(folder, COMPLETE)));
  return isComplete ? pythonIn(folder, place.platform) : null;
}

/** Find the first Python that is new enough and can make environments. */
export async function usablePython(candidates: string[]): Promise<string | null> {
  for (const candidate of candidates) {
    const answer = await run(candidate, ["-I", "-c", VERSION_QUESTION], { timeout: QUESTION_MS }).catch(() => "");
    if (isNewEnough(answer)) {
      return candidate;
    }
  }
  return null;
}

/**
 * Make the environment and return its Python. Environments for other wheels are removed afterwards. Windows share the
 * storage: one installs, the others wait for it.
 *
 * @param report gets each line of what is done.
 * @param signal ends it; what was made so far is removed.
 */
export async function install(
  place: Installation, python: string, report: (line: string) => void, signal: AbortSignal,
): Promise<string> {
  const folder = await environmentFolder(place);
  const wheel = await carriedWheel(place);
  if (folder === null || wheel === null) {
    throw new Error("This build of the extension carries no server.");
  }
  await fs.mkdir(place.storage, { recursive: true });
  const release = await takeTurn(path.join(place.storage, "installing"), report, signal);
  try {
    return (await installedPython(place)) ?? (await make(place, folder, wheel, { python, report, signal }));
  } finally {
    await release();
  }
}

interface Making {
  python: string;
  report: (line: string) => void;
  signal: AbortSignal;
}

async function make(place: Installation, folder: string, wheel: string, { python, report, signal }: Making): Promise<string> {
  await fs.rm(folder, { recursive: true, force: true });
  try {
    report("Making an environment");
    await run(python, ["-I", "-m", "venv", folder], { signal });
    const own = pythonIn(folder, place.platform);
    report("Downloading and installing");
    const quiet = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"];
    const constraints = ["--constraint", path.join(place.carried, "constraints.txt")];
    await run(own, ["-I", "-m", "pip", "install", ...quiet, ...constraints, wheel], { signal });
    report("Trying it");
    await run(own, ["-I", "-m", "pilotfish", "--version"], { signal });
    await fs.writeFile(path.join(folder, COMPLETE), "");
    await removeOthers(place.storage, folder);
    return own;
  } catch (error) {
    await fs.rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Wait until no other process holds the file of this name, and hold it; the returned function lets it go. */
export async function takeTurn(file: string, report: (line: string) => void, signal: AbortSignal): Promise<() => Promise<void>> {
  for (;;) {
    signal.throwIfAborted();
    try {
      await fs.writeFile(file, String(process.pid), { flag: "wx" });
      return () => fs.rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
        throw error;
      }
    }
    const holder = Number(await fs.readFile(file, "utf8").catch(() => ""));
    if (holder > 0 && !isAlive(holder)) {
      await fs.rm(file, { force: true });
    } else {
      report("Another window is installing it");
      await new Promise((resolve) => setTimeout(resolve, TURN_MS));
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The folder of the environment is named by what is installed into it. */
async function environmentFolder(place: Installation): Promise<string | null> {
  const wheel = await carriedWheel(place);
  if (wheel === null) {
    return null;
  }
  const digest = createHash("sha256").update(await fs.readFile(wheel));
  digest.update(await fs.readFile(path.join(place.carried, "constraints.txt")));
  return path.join(place.storage, `server-${digest.digest("hex").slice(0, 16)}`);
}

async function carriedWheel(place: Installation): Promise<string | null> {
  const names = await fs.readdir(place.carried).catch(() => [] as string[]);
  const wheel = names.find((name) => name.endsWith(".whl"));
  return wheel === undefined ? null : path.join(place.carried, wheel);
}

function pythonIn(folder: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? path.join(folder, "Scripts", "python.exe") : path.join(folder, "bin", "python");
}

async function removeOthers(storage: string, kept: string): Promise<void> {
  for (const name of await fs.readdir(storage)) {
    const folder = path.join(storage, name);
    if (name.startsWith("server-") && folder !== kept) {
      await fs.rm(folder, { recursive: true, force: true });
    }
  }
}

async function exists(file: string): Promise<boolean> {
  return fs.access(file).then(() => true, () => false);
}

/** Run a program to its end and return what it printed; throw its last words. */
function run(program: string, args: string[], options: { signal?: AbortSignal; timeout?: number }): Promise<string> {
  // Neither the interpreter's variables nor a folder of the workspace have a say.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PYTHON")));
  return new Promise((resolve, reject) => {
    execFile(program, args, { ...options, env, cwd: path.dirname(program), maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout);
      } else {
        const words = stderr.trim().split("\n").slice(-5).join("\n");
        reject(new Error(words || error.message));
      }
    });
  });
}
