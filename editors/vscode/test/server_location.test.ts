import assert from "node:assert/strict";
import { test } from "node:test";

import { isNewEnough, pythonCandidates } from "../src/python_location.ts";
import { findOnPath, locateServer, type Surroundings } from "../src/server_location.ts";

function around(programs: string[], change: Partial<Surroundings> = {}): Surroundings {
  return {
    platform: "linux",
    pathVariable: "/home/a/bin:/usr/bin",
    folders: ["/home/a/project"],
    isProgram: (file) => programs.includes(file),
    ...change,
  };
}

test("the setting wins, then the PATH, then the extension's own environment", () => {
  const all = ["/opt/pilotfish", "/usr/bin/pilotfish", "/storage/bin/python"];
  assert.deepEqual(locateServer("/opt/pilotfish", "/storage/bin/python", around(all)), {
    command: "/opt/pilotfish", arguments: [], origin: "setting",
  });
  assert.deepEqual(locateServer("", "/storage/bin/python", around(all)), {
    command: "/usr/bin/pilotfish", arguments: [], origin: "PATH",
  });
  assert.deepEqual(locateServer("", "/storage/bin/python", around(["/storage/bin/python"])), {
    command: "/storage/bin/python", arguments: ["-I", "-m", "pilotfish"], origin: "installed",
  });
  assert.equal((locateServer("", null, around([])) as { reason: string }).reason, "not found");
});

test("a setting that names no program is told, not passed over", () => {
  for (const setting of ["/gone/pilotfish", "pilotfish", "./pilotfish"]) {
    const found = locateServer(setting, null, around(["/usr/bin/pilotfish", "pilotfish", "./pilotfish"]));
    assert.equal((found as { reason: string }).reason, "bad setting");
  }
});

test("no program of the workspace is run because the PATH leads there", () => {
  const hostile = ["/home/a/project/bin/pilotfish", "bin/pilotfish", "./pilotfish"];
  const paths = "/home/a/project/bin:bin:.::/home/a/project";
  assert.equal(findOnPath("pilotfish", around(hostile, { pathVariable: paths })), null);
  const beside = "/home/a/project-tools/pilotfish";
  assert.equal(findOnPath("pilotfish", around([beside], { pathVariable: "/home/a/project-tools" })), beside);
});

test("Windows has its own rules", () => {
  const found = findOnPath("pilotfish", around(["C:\\Tools\\pilotfish.exe"], {
    platform: "win32", pathVariable: "relative;C:\\Tools", folders: ["C:\\project"],
  }));
  assert.equal(found, "C:\\Tools\\pilotfish.exe");
});

test("Pythons are tried by name, or the one that the setting names", () => {
  const found = around(["/usr/bin/python3", "/home/a/bin/python3.12"]);
  assert.deepEqual(pythonCandidates("", found), ["/usr/bin/python3", "/home/a/bin/python3.12"]);
  assert.deepEqual(pythonCandidates("/opt/python", found), ["/opt/python"]);
});

test("Python 3.11 is new enough", () => {
  const answers: Array<[string, boolean]> = [["3 11\n", true], ["3 10\n", false], ["4 0\n", true], ["2 7", false], ["", false]];
  for (const [answer, expected] of answers) {
    assert.equal(isNewEnough(answer), expected, answer);
  }
});
