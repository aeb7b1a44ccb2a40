// A real workbench in a browser, driven as a person would: keys, clicks, and what is to be seen.

import { chromium } from "playwright-core";

const PATIENCE_MS = 180_000; // on a busy machine; nothing waits longer than it has to
const PATIENCE_WITH_INDEX_MS = 600_000;
export const PATIENCE_WITH_DOWNLOADS_MS = 1_200_000;

export class Workbench {
  #browser;
  #page;

  static async open({ address, browser, width = 1000, height = 620 }) {
    const workbench = new Workbench();
    workbench.#browser = await chromium.launch({
      executablePath: browser,
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    });
    const context = await workbench.#browser.newContext({
      viewport: { width, height },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    workbench.#page = await context.newPage();
    workbench.#page.setDefaultTimeout(PATIENCE_MS);
    await workbench.#page.goto(address);
    await workbench.#page.waitForSelector(".monaco-workbench .statusbar");
    return workbench;
  }

  async close() {
    await this.#browser.close();
  }

  get page() {
    return this.#page;
  }

  async press(...keys) {
    for (const key of keys) {
      await this.#page.keyboard.press(key);
    }
  }

  /** Type as a person does, key by key. */
  async type(text) {
    await this.#page.keyboard.type(text, { delay: 15 });
  }

  /** Run a command by its title in the palette, which closes by itself when something else takes the focus. */
  async command(title) {
    const row = this.#page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
    await this.until(`the palette offers ${title}`, async () => {
      await this.press("F1");
      const field = this.#page.locator(".quick-input-widget:visible input").first();
      await field.fill(`>${title}`, { timeout: 5_000 }).catch(() => undefined);
      return row.waitFor({ timeout: 5_000 }).then(() => true, () => false);
    });
    await row.click();
  }

  /** What the item in the status bar says: its text and its label for screen readers. */
  async status() {
    const item = this.#page.locator("#pilotfish\\.pilotfish\\.pilotfish\\.status, [id='pilotfish.pilotfish.status']").first();
    await item.waitFor();
    const label = await item.locator("a").first().getAttribute("aria-label");
    const spins = await item.locator(".codicon-sync").count();
    return { text: (await item.innerText()).trim(), label: label ?? "", spins: spins > 0 };
  }

  /** Wait until the status says that nothing is going on and nothing is missing, and return it. */
  async settled(patience = PATIENCE_WITH_INDEX_MS) {
    return this.until("the index is quiet", async () => {
      const status = await this.status();
      return !status.spins && /definitions$/.test(status.label) ? status : null;
    }, patience);
  }

  /** The lines of an open quick pick. */
  async picks() {
    const rows = this.#page.locator(".quick-input-widget:visible .quick-input-list .monaco-list-row");
    return rows.evaluateAll((all) =>
      all.map((row) => ({
        label: row.querySelector(".quick-input-list-row .label-name")?.textContent ?? "",
        description: row.querySelector(".quick-input-list-row .label-description")?.textContent ?? "",
        detail: row.querySelector(".quick-input-list-label-meta")?.textContent ?? "",
      })),
    );
  }

  /** Whether an open quick pick is waiting for something. */
  async isBusy() {
    return (await this.#page.locator(".quick-input-widget .monaco-progress-container.active").count()) > 0;
  }

  /** Wait until a line of the quick pick, of a kind, is wanted, and return all of them. */
  async picksWith(wanted, isOfKind = () => true) {
    return this.until(`a pick with ${wanted}`, async () => {
      const picks = await this.picks();
      return picks.some((pick) => isOfKind(pick) && wanted.test(`${pick.label} ${pick.description}`)) ? picks : null;
    });
  }

  /** The lines of a tree in the side bar, once there are several and no more come. */
  async treeRows(title) {
    const rows = this.#page.locator(`.sidebar .pane:has(.pane-header[aria-label^='${title}']) .monaco-list-row`);
    let before = 0;
    return this.until(`${title} has lines`, async () => {
      const found = await rows.evaluateAll((all) => all.map((row) => row.innerText.replace(/\s+/g, " ").trim()));
      const isWhole = found.length > 1 && found.length === before;
      before = found.length;
      return isWhole ? found : null;
    });
  }

  /** Choose the line of an open quick pick that has a text. */
  async pick(text) {
    await this.#page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first().click();
  }

  /** The active editor's name, its path as the tab says it, and the line of the cursor. */
  async activeEditor() {
    const tab = this.#page.locator(".editor-group-container.active .tab.active").first();
    const name = (await tab.count()) > 0 ? await tab.getAttribute("data-resource-name") : "";
    const position = await this.#page.locator("[id='status.editor.selection']").first().innerText().catch(() => "");
    return { name: name ?? "", line: Number(/Ln (\d+)/.exec(position)?.[1] ?? 0) };
  }

  /** The names of all open editors. */
  async tabs() {
    return this.#page.locator(".editor-group-container .tab").evaluateAll((all) => all.map((tab) => tab.dataset.resourceName));
  }

  async until(what, probe, patience = PATIENCE_MS) {
    const end = Date.now() + patience;
    for (;;) {
      const found = await probe();
      if (found) {
        return found;
      }
      if (Date.now() > end) {
        throw new Error(`waited in vain until ${what}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async picture(file) {
    await this.#page.screenshot({ path: file });
  }

  /** The frame of a webview whose document has what a selector names. */
  async frameWith(selector) {
    return this.until(`a panel with ${selector}`, async () => {
      for (const frame of this.#page.frames()) {
        if ((await frame.locator(selector).count().catch(() => 0)) > 0) {
          return frame;
        }
      }
      return null;
    });
  }
}
