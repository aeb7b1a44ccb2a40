// What a person does with the extension, in a real workbench: the steps that are named, one after the other. Prints what
// was seen as JSON.
//
//     node scenario.mjs '{"steps": […], "address": …, "folder": …, "browser": …, "pictures": …, …}'

import { execFileSync } from "node:child_process";
import path from "node:path";

import { PATIENCE_WITH_DOWNLOADS_MS, Workbench } from "./workbench.mjs";

const given = JSON.parse(process.argv[2]);
const seen = {};
const workbench = await Workbench.open(given);
const { page } = workbench;
const picture = (name) => workbench.picture(path.join(given.pictures, `${name}.png`));

async function ask(question, wanted) {
  await workbench.press("Control+Alt+Shift+F");
  await page.waitForSelector(".quick-input-widget input:visible");
  await workbench.type(question);
  await workbench.until("what is typed is answered", async () => {
    await workbench.picksWith(wanted, (pick) => /:\d+$/.test(pick.description)); // not a question asked before
    return !(await workbench.isBusy());
  });
  return workbench.picks();
}

/** Choose the first of the picks, and wait until its file is open. */
async function choose([first]) {
  const name = path.basename(first.description.split(" • ").pop().split(":")[0]);
  await workbench.press("Enter");
  return workbench.until(`${name} is open`, async () => {
    const editor = await workbench.activeEditor();
    return (await workbench.picks()).length === 0 && editor.name === name && editor.line > 0 ? editor : null;
  });
}

/** The language servers among a process's descendants. */
function serversBelow(ancestor) {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  const all = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line).slice(1));
  const below = new Set([String(ancestor)]);
  for (let before = 0; before < below.size;) {
    before = below.size;
    all.filter(([, parent]) => below.has(parent)).forEach(([child]) => below.add(child));
  }
  return all.filter(([own, , command]) => below.has(own) && /pilotfish serve$/.test(command)).map(([pid]) => ({ pid: Number(pid) }));
}

function killServers() {
  serversBelow(given.process).forEach(({ pid }) => process.kill(pid, "SIGKILL"));
}

const steps = {
  async installed() {
    const toast = page.locator(".notification-toast", { hasText: "is not installed" });
    await toast.waitFor();
    const text = await toast.innerText();
    const before = await workbench.status();
    const buttons = await toast.locator(".monaco-button").allInnerTexts();
    await picture("vscode-install");
    await toast.locator(".monaco-button", { hasText: "Install" }).click();
    return { text, buttons, before, after: await workbench.settled(PATIENCE_WITH_DOWNLOADS_MS) };
  },

  /** Let VS Code's own client of MCP start the server that it is offered. */
  async agents() {
    await workbench.command("MCP: List Servers");
    const offered = await workbench.picksWith(/Pilotfish/);
    await workbench.pick("Pilotfish");
    await workbench.pick("Start Server");
    const running = await workbench.until("the server of MCP runs", async () => {
      await workbench.command("MCP: List Servers");
      const picks = await workbench.picksWith(/Pilotfish/);
      return picks.some((pick) => /Running/.test(pick.description)) ? picks : null;
    });
    await workbench.pick("Pilotfish");
    await workbench.pick("Show Output");
    const output = page.locator(".part.panel");
    const discovered = await workbench.until("its tools are found", async () =>
      /Discovered.\d+.tools/.exec(await output.innerText())?.[0] ?? null);
    await workbench.command("View: Hide Panel");
    return { offered, running, discovered };
  },

  /** A workspace that nobody has said is to be trusted; then a person says so. */
  async restricted() {
    const status = await workbench.settled();
    const picks = await ask(given.question, new RegExp(given.answer));
    await workbench.press("Escape");
    await workbench.command("MCP: List Servers");
    const offered = await workbench.picksWith(/Add Server/);
    await workbench.press("Escape");
    await workbench.command("Extensions: Show Installed Extensions");
    await page.locator(".sidebar .extension-list-item", { hasText: "Pilotfish" }).first().click();
    const limits = await page.locator(".extension-editor .recommendation, .extension-editor .header").first().innerText();
    await picture("vscode-restricted");
    await workbench.command("Workspaces: Manage Workspace Trust");
    await page.locator(".workspace-trust-editor .monaco-button", { hasText: "Trust" }).first().click();
    await workbench.until("it is trusted", async () => !/Restricted/.test((await workbench.settled()).label));
    await workbench.command("MCP: List Servers");
    const trusted = await workbench.picksWith(/Pilotfish/);
    await workbench.press("Escape");
    return { status, picks, offered, limits, trusted };
  },

  /** What a search brings from all folders, and how many servers answer. */
  async folders() {
    const picks = await ask(given.question, new RegExp(given.answer));
    const opened = await choose(picks);
    const { rows } = await steps.usages();
    return { picks, opened, rows, servers: serversBelow(given.process) };
  },

  async indexed() {
    return workbench.settled();
  },

  async search() {
    const picks = await ask(given.question, new RegExp(given.answer));
    await workbench.press("ArrowDown", "ArrowUp");
    await workbench.until("the first result is shown", async () => (await workbench.activeEditor()).name !== "");
    await picture("vscode-search");
    return { picks, opened: await choose(picks) };
  },

  async usages() {
    await choose(await ask(given.name, new RegExp(`\\b${given.name} `))); // by its name, whose definition it opens
    await workbench.press("Control+Alt+Shift+U");
    const rows = await workbench.treeRows("Uses");
    await picture("vscode-uses");
    await workbench.press("ArrowDown", "ArrowDown", "Enter"); // over the first file to its first use
    const use = rows.find((row) => /:\d+ · /.test(row));
    const line = Number(/:(\d+) · /.exec(use)[1]);
    const opened = await workbench.until("the first use is open", async () => {
      const editor = await workbench.activeEditor();
      return editor.line === line ? editor : null;
    });
    return { rows, use, opened };
  },

  async trace() {
    await workbench.press("Control+1"); // the editor, where the cursor is on the name
    await workbench.press("Control+Alt+Shift+T");
    const rows = await workbench.treeRows("Calls");
    await picture("vscode-trace");
    return { rows };
  },

  async similar() {
    await workbench.press("Control+1"); // the editor, where the cursor still is
    const before = await workbench.activeEditor();
    const tabs = (await workbench.tabs()).length;
    await workbench.press("Control+Alt+Shift+S");
    const picks = await workbench.picksWith(/:\d+/);
    const looked = await workbench.until("the first is looked at", async () => {
      const editor = await workbench.activeEditor();
      return editor.name !== before.name || editor.line !== before.line ? editor : null;
    });
    await workbench.press("Escape");
    const after = await workbench.until("it goes back", async () => {
      const editor = await workbench.activeEditor();
      const isBack = editor.name === before.name && editor.line === before.line;
      return isBack && (await workbench.tabs()).length === tabs ? editor : null;
    });
    return { picks, before, looked, after };
  },

  /** The entries of the menus of the editor and of the explorer. */
  async menus() {
    const ours = async () => {
      const labels = page.locator(".monaco-menu .action-label");
      await labels.first().waitFor();
      const texts = await labels.allInnerTexts();
      await workbench.press("Escape");
      return texts.map((text) => text.trim()).filter((text) => text !== "");
    };
    await workbench.press("Control+1");
    await workbench.press("Shift+F10");
    const editor = await ours();
    await workbench.press("Control+Shift+E");
    await page.locator(".explorer-folders-view .monaco-list-row[aria-level='1']").last().click({ button: "right" });
    return { editor, explorer: await ours() };
  },

  async why() {
    await workbench.command("Pilotfish: Why Is This File (Not) Indexed?");
    const toast = page.locator(".notification-toast .notification-list-item-message").first();
    await toast.waitFor();
    const text = await toast.innerText();
    await workbench.command("Notifications: Clear All Notifications");
    return { text };
  },

  async context() {
    await workbench.command("Pilotfish: Copy Context for a Task");
    await page.waitForSelector(".quick-input-widget input:visible");
    await workbench.type(given.task);
    await workbench.press("Enter");
    const told = await workbench.until("it is copied", async () => {
      const bar = await page.locator(".statusbar").innerText();
      return /Copied [^\n]*/.exec(bar)?.[0] ?? null;
    });
    return { told, text: await page.evaluate(() => navigator.clipboard.readText()) };
  },

  async status() {
    await workbench.command("Pilotfish: Index Status");
    const frame = await workbench.frameWith("h1:has-text('/')");
    const text = await frame.locator("body").innerText();
    await workbench.command("View: Close Editor");
    return { text };
  },

  async paused() {
    await workbench.command("Pilotfish: Pause Indexing");
    const paused = await workbench.until("it is paused", async () => {
      const status = await workbench.status();
      return /\(paused\)/.test(status.label) ? status : null;
    });
    await workbench.command("Pilotfish: Resume Indexing");
    return { paused, resumed: await workbench.settled() };
  },

  async rename() {
    const before = await choose(await ask(given.question, new RegExp(given.answer)));
    await workbench.press("Control+Shift+E");
    const field = page.locator(".explorer-folders-view input");
    await workbench.until("the explorer takes a name", async () => {
      await page.locator(".explorer-folders-view .monaco-list-row", { hasText: before.name }).first().click();
      await workbench.press("F2");
      return field.waitFor({ timeout: 3_000 }).then(() => true, () => false);
    });
    await field.fill(given.renamed);
    await workbench.press("Enter");
    await workbench.until("it has its new name", async () => (await workbench.tabs()).includes(given.renamed));
    const picks = await ask(given.question, new RegExp(given.renamed));
    await workbench.press("Escape");
    return { before, picks };
  },

  async branch() {
    execFileSync("git", ["-C", given.folder, "checkout", "-q", given.branch]);
    const picks = await ask(given.branchQuestion, new RegExp(given.branchAnswer));
    return { picks, opened: await choose(picks) };
  },

  /** Enter is pressed before the answer has come, with that to another question in the list. */
  async hasty() {
    await ask(given.question, new RegExp(given.answer));
    await workbench.press("Control+A");
    await page.keyboard.insertText(given.branchQuestion);
    await workbench.press("Enter");
    return workbench.until("a file is open", async () =>
      (await workbench.picks()).length === 0 ? workbench.activeEditor() : null);
  },

  /** The server is killed while the picker is open. */
  async killed() {
    await ask(given.question, new RegExp(given.answer));
    killServers();
    await workbench.press("Control+A");
    await workbench.type(given.branchQuestion);
    const picks = await workbench.picksWith(new RegExp(given.branchAnswer));
    await workbench.press("Escape");
    return { picks, status: await workbench.settled() };
  },

  /** It is killed as often as it comes up, until it is left alone; then it is asked for, and started by hand. */
  async storm() {
    const failed = await workbench.until("it is left alone", async () => {
      killServers();
      const status = await workbench.status();
      return /keeps ending/.test(status.label) ? status : null;
    });
    const popups = await page.locator(".notification-toast").count();
    await workbench.press("Control+Alt+Shift+F");
    const toast = page.locator(".notification-toast", { hasText: "does not run" });
    await toast.waitFor();
    const said = await toast.locator(".notification-list-item-message").innerText();
    await workbench.type(given.question); // into the picker, which is there, and never into a file
    const picks = await workbench.picksWith(/Not searched/);
    await workbench.press("Escape");
    await workbench.command("Notifications: Clear All Notifications");
    await workbench.command("Pilotfish: Restart Server");
    return { failed, popups, said, picks, restarted: await workbench.settled() };
  },

  async map() {
    await workbench.press("Control+B"); // room for the map instead of the side bar
    await choose(await ask(given.question, new RegExp(given.answer)));
    await workbench.press("Control+Alt+Shift+M");
    const frame = await workbench.frameWith("#tiles .tile");
    const followed = await workbench.until("it follows the active file", async () => {
      const chosen = frame.locator(".tile.chosen");
      return (await chosen.count()) > 0 ? chosen.first().getAttribute("aria-label") : null;
    });
    await picture("vscode-map");
    const other = frame.locator(".tile.used:not(.small)").first();
    const clicked = await other.getAttribute("aria-label");
    await other.click();
    const name = path.basename(clicked);
    await workbench.until(`${name} is open`, () => page.locator(`.tab[data-resource-name='${name}']`).count());
    return { followed, clicked, name };
  },

  async architecture() {
    await workbench.command("Pilotfish: Architecture");
    const frame = await workbench.frameWith("#architecture-view:not([hidden]) .module");
    return { modules: await frame.locator(".module b").allInnerTexts() };
  },

  async restarted() {
    await workbench.command("Pilotfish: Restart Server");
    return workbench.settled();
  },

  async off() {
    await workbench.command("Pilotfish: Switch Off Here");
    const off = await workbench.until("it is off", async () => {
      const status = await workbench.status();
      return /off/.test(status.label) ? status : null;
    });
    await workbench.command("Pilotfish: Switch On Here");
    return { off, on: await workbench.settled() };
  },
};

try {
  for (const name of given.steps) {
    const begun = Date.now();
    seen[name] = await steps[name]();
    process.stderr.write(`${name}: ${((Date.now() - begun) / 1000).toFixed(1)} s\n`);
  }
} catch (error) {
  seen.failure = String(error.stack ?? error);
  await picture("failure");
} finally {
  await workbench.close();
}
process.stdout.write(JSON.stringify(seen));
