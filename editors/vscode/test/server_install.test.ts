import assert from "node:assert/strict";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

import { takeTurn } from "../src/server_install.ts";

const file = async () => path.join(await mkdtemp(path.join(tmpdir(), "turn-")), "installing");

test("windows that install at the same time do so one after the other", async () => {
  const turn = await file();
  const said: string[] = [];
  const never = new AbortController().signal;
  const order: string[] = [];
  const release = await takeTurn(turn, (line) => said.push(line), never);
  const other = takeTurn(turn, (line) => said.push(line), never).then(async (end) => {
    order.push("second");
    await end();
  });
  while (said.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  order.push("first");
  await release();
  await other;
  assert.deepEqual(order, ["first", "second"]);
  assert.match(said[0] ?? "", /Another window/);
});

test("a window that is gone is not waited for, and waiting can be given up", async () => {
  const turn = await file();
  await writeFile(turn, "2147483646"); // no process has this number
  const release = await takeTurn(turn, () => assert.fail("waited"), new AbortController().signal);
  assert.equal(await readFile(turn, "utf8"), String(process.pid));
  const impatient = new AbortController();
  const given = takeTurn(turn, () => impatient.abort(), impatient.signal);
  await assert.rejects(given);
  await release();
});
