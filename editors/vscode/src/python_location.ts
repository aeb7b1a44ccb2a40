// Which Python the server can be installed with.

import { findOnPath, type Surroundings } from "./server_location.ts";

/** The oldest Python that the server runs on. */
export const OLDEST_PYTHON = [3, 11] as const;

const NAMES = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];

/** What a candidate is asked to do: print its version, if it can make environments. */
export const VERSION_QUESTION = "import sys, venv, ensurepip; print(*sys.version_info[:2])";

/** The programs to try, the setting alone where there is one. */
export function pythonCandidates(setting: string, around: Surroundings): string[] {
  if (setting !== "") {
    return [setting];
  }
  const found = NAMES.map((name) => findOnPath(name, around)).filter((file) => file !== null);
  return [...new Set(found)];
}

/** Whether the answer to the question is that of a Python that is new enough. */
export function isNewEnough(answer: string): boolean {
  const [major = 0, minor = 0] = answer.trim().split(" ").map(Number);
  return major > OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor >= OLDEST_PYTHON[1]);
}
