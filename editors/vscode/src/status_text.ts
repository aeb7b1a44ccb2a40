// What the status bar says about the server and its index.

import type { StatusResult } from "./operations.ts";
import { indexedSoFar, isIndexing } from "./result_picks.ts";

/** What `experimental/serverStatus` tells. */
export interface ServerStatus {
  health: "ok" | "warning" | "error";
  quiescent: boolean;
  message?: string | null;
}

/** One stretch of work, as the server reports its progress. */
export interface Work {
  title: string;
  message: string;
  percentage: number | null;
}

export type Life = "off" | "missing" | "installing" | "starting" | "running" | "failed";

export interface ServerState {
  life: Life;
  /** Why it is `missing` or `failed`. */
  reason: string;
  /** The workspace is not trusted: what is limited there. */
  isRestricted: boolean;
  health: ServerStatus;
  work: Work[];
  /** The last answer to `status`, one for each root. */
  roots: StatusResult[];
}

export interface StatusText {
  text: string;
  tooltip: string;
  severity: "none" | "warning" | "error";
}

export const INITIAL_STATE: ServerState = {
  life: "starting",
  reason: "",
  isRestricted: false,
  health: { health: "ok", quiescent: true },
  work: [],
  roots: [],
};

export function isPaused(state: ServerState): boolean {
  return state.roots.some((root) => root.index.phase === "paused");
}

/** Whether a root has work to do, for its symbols or its vectors. */
export function isUnfinished(root: StatusResult): boolean {
  return isIndexing(root.index) || hasVectorsToCome(root.semantic.phase);
}

function hasVectorsToCome(phase: StatusResult["semantic"]["phase"]): boolean {
  return phase === "waiting" || phase === "embedding";
}

export function statusText(state: ServerState): StatusText {
  switch (state.life) {
    case "off":
      return { text: "$(circle-slash) Pilotfish", tooltip: "Switched off here", severity: "none" };
    case "missing":
      return { text: "$(warning) Pilotfish", tooltip: state.reason, severity: "warning" };
    case "installing":
      return { text: "$(sync~spin) Pilotfish", tooltip: "Installing the server", severity: "none" };
    case "starting":
      return { text: "$(sync~spin) Pilotfish", tooltip: "Starting the server", severity: "none" };
    case "failed":
      return { text: "$(error) Pilotfish", tooltip: state.reason, severity: "error" };
    case "running":
      return runningText(state);
  }
}

function runningText(state: ServerState): StatusText {
  const restricted = state.isRestricted ? "Restricted Mode: agents are not offered Pilotfish" : "";
  const lines = [restricted, state.health.message ?? "", ...state.work.map(workLine), ...state.roots.map(rootLine)];
  const tooltip = lines.filter((line) => line !== "").join("\n") || "Ready";
  if (state.health.health !== "ok") {
    const icon = state.health.health === "error" ? "$(error)" : "$(warning)";
    return { text: `${icon} Pilotfish`, tooltip, severity: state.health.health };
  }
  if (isPaused(state)) {
    return { text: "$(debug-pause) Pilotfish", tooltip, severity: "none" };
  }
  const work = state.work.at(0);
  if (work !== undefined) {
    const share = work.percentage === null ? "" : ` ${work.percentage}%`;
    return { text: `$(sync~spin) Pilotfish${share}`, tooltip, severity: "none" };
  }
  const isQuiet = state.health.quiescent && !state.roots.some((root) => isIndexing(root.index));
  const icon = isQuiet ? "$(compass)" : "$(sync~spin)";
  return { text: `${icon} Pilotfish`, tooltip, severity: "none" };
}

function workLine(work: Work): string {
  return [work.title, work.message].filter((part) => part !== "").join(": ");
}

function rootLine(root: StatusResult): string {
  const name = root.root.slice(Math.max(root.root.lastIndexOf("/"), root.root.lastIndexOf("\\")) + 1);
  const phase = root.index.phase === "ready" ? "" : ` (${root.index.phase})`;
  return `${name}: ${indexedSoFar(root.index)}, ${root.symbols.toLocaleString("en-US")} definitions${phase}${vectorsSoFar(root)}`;
}

/** How far the search by meaning is, while it is on its way. */
function vectorsSoFar({ index, semantic }: StatusResult): string {
  if (!hasVectorsToCome(semantic.phase)) {
    return "";
  }
  return `, ${Math.floor((100 * index.embedded) / Math.max(1, index.chunks))}% by meaning`;
}
