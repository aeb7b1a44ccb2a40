"use strict";
// Everything in the data comes from an untrusted repository: it reaches the page as text only, through `element`.

const data = JSON.parse(document.getElementById("data").textContent);
const architecture = data.architecture;
const byId = (id) => document.getElementById(id);
const reducedLists = 12;
const mostFound = 60;
const mostEdges = 160;

const files = data.files.map(([path, language, module, rank, symbols, hidden], number) => {
  const cut = path.lastIndexOf("/");
  return {
    number, path, module, rank, hidden, language: data.languages[language],
    folder: path.slice(0, Math.max(0, cut)), name: path.slice(cut + 1), lower: path.toLowerCase(),
    symbols: symbols.map(([name, kind, line, depth, signature]) => ({
      name, line, depth, signature: signature || "", kind: data.kinds[kind], lower: name.toLowerCase(), file: number,
    })),
    uses: [], users: [],
  };
});
for (let at = 0; at < data.links.length; at += 3) {
  const [source, target, uses] = data.links.slice(at, at + 3);
  files[source].uses.push([target, uses]);
  files[target].users.push([source, uses]);
}
for (const file of files) for (const links of [file.uses, file.users]) links.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
const whole = (name) => (name.startsWith("/") || !architecture.base ? name.replace(/^\//, "") : `${architecture.base}/${name}`);
const modules = architecture.modules.map(([name, folder, share, count, tests, members], number) => ({
  number, name, folder, share, count, tests, members, path: whole(name), uses: [], users: [],
}));
for (const [source, target, calls, types, imports, inherits, against] of architecture.dependencies) {
  const link = { source, target, calls, types, imports, inherits, against, total: calls + types + imports + inherits };
  modules[source].uses.push(link);
  modules[target].users.push(link);
}

// --- where the page is shown ---------------------------------------------------------------------------------------

/** The editor whose panel shows the page; null in a browser. It opens files, and tells which one to choose. */
const host = typeof acquireVsCodeApi === "function" ? acquireVsCodeApi() : null;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function followTheme() {
  const kind = document.body.dataset.vscodeThemeKind;
  const isDark = host ? kind === "vscode-dark" || kind === "vscode-high-contrast" : prefersDark.matches;
  document.documentElement.classList.toggle("dark", isDark);
  document.documentElement.classList.toggle("hosted", host !== null);
}

followTheme();

function openInHost(file, line) {
  host?.postMessage({ kind: "open", path: file.path, line });
}

function obey(message) {
  const file = message.kind === "choose" ? files.find((each) => each.path === message.path) : undefined;
  if (file && byId("map-view").hidden) state.chosen = state.at = file; // seen when the person goes to the map
  else if (file) choose(file, { reveal: true, isTold: true });
  if (message.kind === "show" && views.includes(message.view)) show(message.view);
}

// --- elements ---------------------------------------------------------------------------------------------------

/** Make an element: properties by name, `class`, `aria-…` and `role` as attributes, texts and elements as children. */
function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "hue") made.style.setProperty("--hue", value);
    else if (name === "class" || name === "role" || name.includes("-")) made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

function drawn(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

const number = (value) => value.toLocaleString("en-US");
const counted = (value, noun) => `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
const percent = (share) => (share >= 0.1 ? `${Math.round(share * 100)}%` : share >= 0.001 ? `${(share * 100).toFixed(1)}%` : "<0.1%");
const hueOf = (module) => String(Math.round((250 + module * 137.508) % 360));
const kindHues = { class: 45, struct: 45, interface: 75, enum: 75, method: 285, function: 285, constructor: 285, module: 150, namespace: 150, constant: 215, variable: 215, field: 215, property: 215 };

function swatch(module) {
  return module < 0 ? element("span", { class: "swatch apart" }) : element("span", { class: "swatch", hue: hueOf(module) });
}

function kindBadge(kind) {
  return element("span", { class: "kind", hue: String(kindHues[kind] ?? 240), title: kind, textContent: kind ? kind[0].toUpperCase() : "·" });
}

// --- the tree of folders ------------------------------------------------------------------------------------------

const rootFolder = folderTree();

function folderTree() {
  const root = { path: "", label: data.name, folders: new Map(), files: [], rank: 0, count: 0, up: null };
  for (const file of files) {
    let folder = root;
    let path = "";
    for (const part of file.folder ? file.folder.split("/") : []) {
      path = path ? `${path}/${part}` : part;
      if (!folder.folders.has(part)) folder.folders.set(part, { path, label: part, folders: new Map(), files: [], rank: 0, count: 0, up: folder });
      folder = folder.folders.get(part);
    }
    folder.files.push(file);
    for (let each = folder; each; each = each.up) { each.rank += file.rank; each.count += 1; }
  }
  const joined = (folder) => {
    folder.children = [...folder.folders.values()].map(joined);
    if (folder.children.length === 1 && !folder.files.length && folder !== root) {
      const only = folder.children[0];
      only.label = `${folder.label}/${only.label}`;
      only.up = folder.up;
      return only;
    }
    for (const child of folder.children) child.up = folder;
    return folder;
  };
  return joined(root);
}

function folderAt(path) {
  let folder = rootFolder;
  for (;;) {
    const inner = folder.children.find((child) => path === child.path || path.startsWith(`${child.path}/`));
    if (!inner) return folder;
    folder = inner;
  }
}

// --- the treemap --------------------------------------------------------------------------------------------------

/** Squarified treemap (Bruls, Huizing, van Wijk, 2000): call `place` with each item and its rectangle. */
function squarify(items, box, place) {
  const left = items.filter((item) => item.rank > 0).sort((a, b) => b.rank - a.rank);
  const total = left.reduce((sum, item) => sum + item.rank, 0);
  if (!total || box.width <= 0 || box.height <= 0) return;
  const scale = (box.width * box.height) / total;
  let { x, y, width, height } = box;
  let at = 0;
  while (at < left.length) {
    const side = Math.min(width, height);
    let end = at;
    let area = 0;
    let worst = Infinity;
    while (end < left.length) {
      const next = area + left[end].rank * scale;
      const most = left[at].rank * scale;
      const least = left[end].rank * scale;
      const ratio = Math.max((side * side * most) / (next * next), (next * next) / (side * side * least));
      if (ratio > worst) break;
      [area, worst, end] = [next, ratio, end + 1];
    }
    const thick = side > 0 ? area / side : 0;
    let along = 0;
    for (; at < end; at += 1) {
      const long = thick > 0 ? (left[at].rank * scale) / thick : 0;
      place(left[at], width >= height ? { x, y: y + along, width: thick, height: long } : { x: x + along, y, width: long, height: thick });
      along += long;
    }
    if (width >= height) [x, width] = [x + thick, width - thick];
    else [y, height] = [y + thick, height - thick];
  }
}

const state = { folder: rootFolder, chosen: null, at: null, module: null };
const tiles = byId("tiles");
const boxes = new Map();

function drawMap() {
  boxes.clear();
  marks = [];
  const parts = document.createDocumentFragment();
  const { width, height } = tiles.getBoundingClientRect();
  drawFolder(state.folder, { x: 0, y: 0, width, height }, parts, true);
  tiles.replaceChildren(parts);
  drawCrumbs();
  mark();
}

function drawFolder(folder, box, parts, isOutermost) {
  const hasHead = !isOutermost && box.width > 44 && box.height > 36;
  if (!isOutermost) parts.append(folderBox(folder, box, hasHead));
  const pad = isOutermost ? 0 : Math.min(3, box.width / 8, box.height / 8);
  const inner = { x: box.x + pad, y: box.y + pad + (hasHead ? 16 : 0), width: box.width - 2 * pad, height: box.height - 2 * pad - (hasHead ? 16 : 0) };
  squarify([...folder.children, ...folder.files], inner, (item, place) => {
    if (item.children) drawFolder(item, place, parts, false);
    else if (place.width > 1 && place.height > 1) parts.append(tile(item, place));
  });
}

function setBox(made, box, gap) {
  made.style.left = `${box.x.toFixed(1)}px`;
  made.style.top = `${box.y.toFixed(1)}px`;
  made.style.width = `${Math.max(1, box.width - gap).toFixed(1)}px`;
  made.style.height = `${Math.max(1, box.height - gap).toFixed(1)}px`;
}

function folderBox(folder, box, hasHead) {
  const made = element("div", { class: "folder", role: "presentation" });
  setBox(made, box, 1.5);
  if (hasHead) made.append(element("button", { textContent: folder.label, title: `Zoom into ${folder.path}`, tabIndex: -1, onclick: () => zoom(folder) }));
  return made;
}

function tile(file, box) {
  const gap = box.width > 6 && box.height > 6 ? 1.5 : 0.5;
  const made = element("div", { class: file.module < 0 ? "tile apart" : "tile", role: "option", id: `tile-${file.number}`, "aria-label": file.path, "aria-selected": "false" });
  if (file.module >= 0) made.style.setProperty("--hue", hueOf(file.module));
  setBox(made, box, gap);
  if (box.width < 34 || box.height < 17) made.classList.add("small");
  else {
    const isLarge = box.width > 110 && box.height > 46;
    if (isLarge) made.classList.add("large");
    made.append(file.name);
    if (isLarge) made.append(element("small", { textContent: counted(file.symbols.length + file.hidden, "symbol") }));
  }
  made.dataset.file = file.number;
  boxes.set(file.number, { file, made, x: box.x + box.width / 2, y: box.y + box.height / 2 });
  return made;
}

function zoom(folder) {
  state.folder = folder;
  state.at = null;
  drawMap();
}

function drawCrumbs() {
  const way = [];
  for (let folder = state.folder; folder; folder = folder.up) way.unshift(folder);
  byId("crumbs").replaceChildren(...way.flatMap((folder, place) => [
    ...(place ? [element("span", { textContent: "›", "aria-hidden": "true" })] : []),
    element("button", { textContent: folder.label, onclick: () => zoom(folder) }),
  ]));
  say(state.chosen);
}

// --- what is marked, and the edges --------------------------------------------------------------------------------

let marks = [];

/** Show the chosen file, or the one pointed at, with what it uses and what uses it. */
function mark(preview = null) {
  for (const [made, name] of marks) made.classList.remove(name);
  marks = [];
  const put = (key, name) => {
    const box = boxes.get(key);
    if (!box) return;
    box.made.classList.add(name);
    marks.push([box.made, name]);
  };
  const file = preview ?? state.chosen;
  if (state.chosen) put(state.chosen.number, "chosen");
  if (state.at) put(state.at.number, "at");
  for (const [target] of file ? file.uses : []) put(target, "used");
  for (const [source] of file ? file.users : []) put(source, "user");
  if (state.module !== null) for (const each of files) if (each.module === state.module) put(each.number, "match");
  tiles.classList.toggle("focused", (file !== null && preview === null) || state.module !== null);
  if (state.at) tiles.setAttribute("aria-activedescendant", `tile-${state.at.number}`);
  else tiles.removeAttribute("aria-activedescendant");
  for (const made of tiles.querySelectorAll("[aria-selected=true]")) made.setAttribute("aria-selected", "false");
  if (state.chosen) boxes.get(state.chosen.number)?.made.setAttribute("aria-selected", "true");
  drawEdges(file, preview !== null);
}

function drawEdges(file, isPreview) {
  const edges = byId("edges");
  const from = file && boxes.get(file.number);
  const paths = [];
  for (const [links, kind] of from ? [[file.users, "user"], [file.uses, "used"]] : []) {
    for (const [other, uses] of links.slice(0, mostEdges)) {
      const to = boxes.get(other);
      if (to) paths.push(drawn("path", { d: curve(from, to), class: isPreview ? `${kind} preview` : kind, "stroke-width": (1 + Math.min(3, Math.log2(uses) / 2)).toFixed(2) }));
    }
  }
  edges.replaceChildren(...paths);
}

function curve(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const [cx, cy] = [(from.x + to.x) / 2 - dy * 0.16, (from.y + to.y) / 2 + dx * 0.16];
  return `M${from.x.toFixed(1)} ${from.y.toFixed(1)}Q${cx.toFixed(1)} ${cy.toFixed(1)} ${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
}

function say(file = null) {
  const folder = state.folder;
  byId("status").textContent = file
    ? `${file.path} · rank ${number(file.number + 1)} · uses ${counted(file.uses.length, "file")}, used by ${number(file.users.length)}`
    : `${counted(folder.count, "file")}${folder.path ? ` in ${folder.path}` : ""}, sized by rank. Click a file, or the name of a folder to zoom in.`;
}

function choose(file, { reveal = false, focus = false, isTold = false } = {}) {
  state.chosen = file;
  state.at = file;
  state.module = null;
  if (file && reveal) {
    show("map");
    const isInside = !state.folder.path || file.path.startsWith(`${state.folder.path}/`);
    if (!isInside) { zoom(rootFolder); state.at = file; }
    if (!boxes.has(file.number)) { zoom(folderAt(file.path)); state.at = file; }
  }
  try {
    history.replaceState(null, "", file ? `#${encodeURIComponent(file.path)}` : location.href.split("#")[0]);
  } catch {
    // A frame without an address of its own has none to change.
  }
  drawPanel();
  mark();
  say(file);
  if (focus) tiles.focus();
  if (file && !isTold) openInHost(file, 1);
}

// --- the panel ----------------------------------------------------------------------------------------------------

const panel = byId("panel");

function drawPanel() {
  const isMap = !byId("map-view").hidden;
  panel.replaceChildren(...(isMap ? (state.chosen ? filePanel(state.chosen) : startPanel()) : chosenModule ? modulePanel(chosenModule) : layersPanel()));
  panel.scrollTop = 0;
}

/** A list that shows its first rows, and all when asked. */
function list(title, items, row, note = "", most = reducedLists) {
  if (!items.length) return [];
  const rows = element("ul", {}, items.slice(0, most).map((item) => element("li", {}, row(item))));
  const parts = [element("h3", {}, title, element("span", { textContent: note || number(items.length) })), rows];
  if (items.length > most) {
    const more = element("button", { class: "text-button", textContent: `${number(items.length - most)} more` });
    more.onclick = () => { rows.append(...items.slice(most).map((item) => element("li", {}, row(item)))); more.remove(); };
    parts.push(more);
  }
  return parts;
}

function fileRow(file, note) {
  const name = element("span", { class: "name path-name" }, element("span", { class: "folder-name", textContent: file.folder ? `${file.folder}/` : "" }), element("span", { textContent: file.name }));
  return element("button", { class: "row swatched", title: file.path, onclick: () => choose(file, { reveal: true }) }, swatch(file.module), name, element("span", { class: "number", textContent: note }));
}

function filePanel(file) {
  const module = file.module < 0 ? null : modules[file.module];
  const symbols = list("Symbols", file.symbols, symbolRow, number(file.symbols.length + file.hidden), 40);
  return [
    element("h2", { textContent: file.name }),
    element("p", { class: "path" }, element("button", { textContent: file.folder || data.name, title: "Zoom into this folder", onclick: () => { show("map"); zoom(folderAt(file.path)); } })),
    element("div", { class: "chips" },
      element("span", { class: "chip", textContent: `rank ${number(file.number + 1)} of ${number(data.fileCount)}` }),
      element("span", { class: "chip", textContent: file.language }),
      module && element("button", { class: "chip", title: "Show in the architecture", onclick: () => { show("architecture"); chooseModule(module); } }, swatch(file.module), module.name)),
    ...symbols,
    file.hidden ? element("p", { class: "hint", textContent: `${counted(file.hidden, "more symbol")} in the file, not on this page.` }) : null,
    ...list("Uses", file.uses, ([target, uses]) => fileRow(files[target], `${number(uses)}×`)),
    ...list("Used by", file.users, ([source, uses]) => fileRow(files[source], `${number(uses)}×`)),
    file.uses.length + file.users.length ? edgeKey() : element("p", { class: "hint", textContent: "No links to other files on this page." }),
  ].filter(Boolean);
}

function symbolRow(symbol) {
  const name = element("span", { class: "name code", textContent: symbol.name });
  name.style.paddingLeft = `${Math.min(6, symbol.depth) * 14}px`;
  const row = element("button", { class: "row three", title: symbol.kind }, kindBadge(symbol.kind), name, element("span", { class: "number", textContent: String(symbol.line) }));
  if (host) row.onclick = () => openInHost(files[symbol.file], symbol.line);
  else if (symbol.signature) {
    row.setAttribute("aria-expanded", "false");
    row.onclick = () => {
      const isOpen = row.getAttribute("aria-expanded") === "true";
      if (isOpen) row.nextSibling.remove();
      else row.after(element("p", { class: "signature", textContent: symbol.signature }));
      row.setAttribute("aria-expanded", String(!isOpen));
    };
  }
  return row;
}

function edgeKey() {
  return element("div", { class: "key" }, element("span", { class: "used" }, element("i"), "it uses"), element("span", { class: "user" }, element("i"), "uses it"));
}

function startPanel() {
  const top = files.slice(0, reducedLists);
  return [
    element("h2", { textContent: "What matters most" }),
    element("p", { class: "hint", textContent: "Files are as large as the rank that flows to them: from the files that use what they define. Point at one to see its links, click to keep them." }),
    ...list("Highest rank", top, (file) => fileRow(file, ""), " "),
    ...moduleList((module) => { state.module = module ? module.number : null; mark(); }),
    element("div", { class: "chips" }, element("span", { class: "chip" }, swatch(-1), "tests, data and documents")),
  ];
}

function layersPanel() {
  return [
    element("h2", { textContent: "Modules in layers" }),
    element("p", { class: "hint", textContent: "A module stands above all that it uses. Where modules use each other in a circle, the lightest links that close it lead upwards, against the layers." }),
    element("p", { class: "hint", textContent: `Grey lines are the heaviest links. Point at a module to see all of its own, click to keep them.${architecture.base ? ` Names are as seen from ${architecture.base}; those elsewhere begin with a slash.` : ""}` }),
    element("div", { class: "key" }, element("span", { class: "used" }, element("i"), "it uses"), element("span", { class: "user" }, element("i"), "uses it"), element("span", { class: "against" }, element("i"), "against")),
    ...moduleList(markModule),
    ...(architecture.testFiles ? [element("div", { class: "chips" }, element("span", { class: "chip" }, swatch(-1), `${counted(architecture.testFiles, "test file")} apart`))] : []),
  ];
}

/** The modules by share of rank; `light` is called with the one pointed at, and with null after it. */
function moduleList(light) {
  return list("Modules", modules, (module) => {
    const row = element("button", { class: "row swatched", title: module.path, onclick: () => { show("architecture"); chooseModule(module); } },
      swatch(module.number), element("span", { class: "name", textContent: module.name }), element("span", { class: "number", textContent: percent(module.share) }));
    row.onmouseenter = row.onfocus = () => light(module);
    row.onmouseleave = row.onblur = () => light(null);
    return row;
  }, "share of rank", 40);
}

// --- search -------------------------------------------------------------------------------------------------------

const search = byId("search");
const found = byId("found");
let results = [];
let place = 0;

/** How well a name holds the words searched for, lower is better; Infinity where it does not. */
function distance(lower, query) {
  const at = lower.indexOf(query);
  if (at < 0) return Infinity;
  if (lower === query) return 0;
  if (at === 0) return 1;
  return /[^a-z0-9]/.test(lower[at - 1]) ? 2 : 3;
}

function find(query) {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return [];
  const hits = [];
  for (const file of files) {
    const inName = distance(file.name.toLowerCase(), wanted);
    const inPath = inName === Infinity ? distance(file.lower, wanted) + 2 : inName;
    if (inPath !== Infinity) hits.push({ file, symbol: null, order: inPath });
    for (const symbol of file.symbols) {
      const order = distance(symbol.lower, wanted);
      if (order !== Infinity) hits.push({ file, symbol, order: order + 0.1 + symbol.depth / 100 });
    }
  }
  return hits.sort((a, b) => a.order - b.order || a.file.number - b.file.number || (a.symbol?.line ?? 0) - (b.symbol?.line ?? 0)).slice(0, mostFound);
}

function marked(name, query) {
  const at = name.toLowerCase().indexOf(query.trim().toLowerCase());
  const size = query.trim().length;
  if (at < 0 || !size) return [name];
  return [name.slice(0, at), element("mark", { textContent: name.slice(at, at + size) }), name.slice(at + size)];
}

function drawFound() {
  results = find(search.value);
  place = 0;
  const isOpen = search.value.trim() !== "";
  found.hidden = !isOpen;
  search.setAttribute("aria-expanded", String(isOpen));
  found.replaceChildren(...(results.length ? results.map(foundRow) : [element("li", { class: "none", textContent: "No file and no symbol of this page has that in its name." })]));
  moveTo(0);
}

function foundRow(hit, number) {
  const badge = hit.symbol ? kindBadge(hit.symbol.kind) : swatch(hit.file.module);
  const name = element("span", { class: "name" }, ...marked(hit.symbol ? hit.symbol.name : hit.file.name, search.value));
  const where = hit.symbol ? `${hit.file.path}:${hit.symbol.line}` : hit.file.folder;
  const row = element("li", { role: "option", id: `found-${number}`, title: hit.file.path }, badge, name, element("span", { class: "where", textContent: where }));
  row.onmousedown = (event) => { event.preventDefault(); take(hit); };
  row.onmousemove = () => moveTo(number);
  return row;
}

function moveTo(wanted) {
  if (!results.length) { search.removeAttribute("aria-activedescendant"); return; }
  place = (wanted + results.length) % results.length;
  [...found.children].forEach((row, each) => row.setAttribute("aria-selected", String(each === place)));
  search.setAttribute("aria-activedescendant", `found-${place}`);
  found.children[place].scrollIntoView({ block: "nearest" });
}

function take(hit) {
  found.hidden = true;
  search.setAttribute("aria-expanded", "false");
  choose(hit.file, { reveal: true, focus: true });
  if (hit.symbol) {
    const at = hit.file.symbols.indexOf(hit.symbol);
    const more = panel.querySelector(".text-button");
    if (at >= 40 && more) more.click();
    const row = panel.querySelectorAll(".row.three")[at];
    row?.scrollIntoView({ block: "center" });
    row?.click();
  }
}

search.oninput = drawFound;
search.onfocus = () => { if (search.value) drawFound(); };
search.onblur = () => { found.hidden = true; search.setAttribute("aria-expanded", "false"); };
search.onkeydown = (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); moveTo(place + (event.key === "ArrowDown" ? 1 : -1)); }
  else if (event.key === "Enter" && results[place]) take(results[place]);
  else if (event.key === "Escape") { event.stopPropagation(); search.value = ""; drawFound(); search.blur(); }
};

// --- pointer and keys on the map ----------------------------------------------------------------------------------

const fileOf = (event) => { const made = event.target.closest?.(".tile"); return made ? files[Number(made.dataset.file)] : null; };
tiles.onclick = (event) => { const file = fileOf(event); if (file) choose(file === state.chosen ? null : file); };
tiles.ondblclick = (event) => { const file = fileOf(event); if (file) { choose(file); zoom(folderAt(file.path)); } };
tiles.onpointerover = (event) => { const file = fileOf(event); say(file ?? state.chosen); mark(state.chosen ? null : file); };
tiles.onpointerleave = () => { say(state.chosen); mark(); };

tiles.onkeydown = (event) => {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (step) {
    event.preventDefault();
    state.at = neighbour(state.at, step) ?? state.at;
    mark(state.chosen ? null : state.at);
    say(state.at);
  } else if (event.key === "Enter" && state.at) choose(state.at);
  else if (event.key === "+" && state.at) zoom(innerFolder(state.at));
  else if ((event.key === "-" || event.key === "Backspace") && state.folder.up) zoom(state.folder.up);
};

/** The folder one step further in towards a file. */
function innerFolder(file) {
  return state.folder.children.find((child) => file.path.startsWith(`${child.path}/`)) ?? state.folder;
}

/** The closest tile in a direction, what lies aside counting double. */
function neighbour(file, [dx, dy]) {
  const from = file && boxes.get(file.number);
  if (!from) return boxes.size ? files[Math.min(...boxes.keys())] : null;
  let [best, least] = [null, Infinity];
  for (const each of boxes.values()) {
    const ahead = (each.x - from.x) * dx + (each.y - from.y) * dy;
    const aside = Math.abs((each.x - from.x) * dy) + Math.abs((each.y - from.y) * dx);
    if (each !== from && ahead > 0.5 && ahead + 2 * aside < least) [best, least] = [each.file, ahead + 2 * aside];
  }
  return best;
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target === search;
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) { event.preventDefault(); search.focus(); search.select(); }
  else if (event.key === "Escape" && !isTyping) {
    if (state.chosen) choose(null);
    else if (chosenModule) chooseModule(null);
    else if (state.folder.up) zoom(state.folder.up);
  }
});

// --- the architecture ---------------------------------------------------------------------------------------------

const layers = byId("layers");
const cards = new Map();
let chosenModule = null;

function card(module) {
  const made = element("button", { class: "module", hue: hueOf(module.number), title: module.path },
    element("b", { textContent: module.name }), element("small", { textContent: `${counted(module.count, "file")} · ${percent(module.share)}` }));
  made.onclick = () => chooseModule(module === chosenModule ? null : module);
  made.onmouseenter = made.onfocus = () => markModule(module);
  made.onmouseleave = made.onblur = () => markModule(chosenModule);
  cards.set(module.number, made);
  return made;
}

/** Order the modules of each layer so that arrows cross less: each to the middle of those above it, then below it. */
function uncrossed() {
  const rows = architecture.layers.map((layer) => layer.map((each) => modules[each]));
  const at = new Map();
  const settle = (row) => row.forEach((module, place) => at.set(module.number, (place + 0.5) / row.length));
  const sweep = (ordered, ends) => {
    for (const row of ordered) {
      const middle = (module) => {
        const places = ends(module).filter((each) => at.has(each)).map((each) => at.get(each));
        return places.length ? places.reduce((sum, each) => sum + each, 0) / places.length : at.get(module.number);
      };
      const middles = new Map(row.map((module) => [module, middle(module)]));
      row.sort((a, b) => middles.get(a) - middles.get(b) || a.number - b.number);
      settle(row);
    }
  };
  rows.forEach(settle);
  for (let round = 0; round < 4; round += 1) {
    sweep(rows, (module) => module.users.map((link) => link.source));
    sweep([...rows].reverse(), (module) => module.uses.map((link) => link.target));
  }
  return rows;
}

function drawArchitecture() {
  const shown = new Set(architecture.layers.flat());
  const apart = modules.filter((module) => !shown.has(module.number));
  const row = (label, members, title) => element("div", { class: members.length < 3 ? "layer narrow" : "layer" }, element("span", { textContent: label, title }), element("div", {}, members.map(card)));
  const rows = uncrossed().map((layer, at) => row(String(architecture.layers.length - at), layer, "layer: above all that it uses"));
  if (apart.length) rows.push(row("–", apart, "neither uses nor is used by another module"));
  layers.append(...rows);
  byId("facts").append(...[entryFacts(), cycleFacts(), fileCycleFacts()].filter(Boolean));
}

function entryFacts() {
  const parts = list("Entry points", architecture.entries, ([path, reason, uses]) => {
    const file = files.find((each) => each.path === path);
    const row = element("button", { class: "row", title: reason }, element("span", { class: "name", textContent: path }), element("span", { class: "number", textContent: reason }));
    if (file) row.onclick = () => choose(file, { reveal: true });
    return row;
  }, number(architecture.entryCount));
  return parts.length ? element("div", {}, parts) : null;
}

function cycleFacts() {
  const parts = list("Modules that use each other", architecture.cycles, (cycle) => element("div", { class: "around" }, cycle.flatMap((each, at) => [
    at ? element("span", { textContent: " ⇄ " }) : null,
    element("button", { textContent: modules[each].name, onclick: () => chooseModule(modules[each]) }),
  ])));
  return parts.length ? element("div", {}, parts, element("div", { class: "key" }, element("span", { class: "against" }, element("i"), "against the layers"))) : null;
}

function fileCycleFacts() {
  const parts = list("Files that import each other", architecture.loops, ([size, loop]) => element("div", { class: "around" }, [...loop, loop[0]].flatMap((path, at) => {
    const file = files.find((each) => each.path === path);
    const name = at && at === loop.length ? path.slice(path.lastIndexOf("/") + 1) : path;
    return [
      at ? element("span", { textContent: " → " }) : null,
      file ? element("button", { textContent: name, onclick: () => choose(file, { reveal: true }) }) : name,
    ];
  }), size > loop.length ? element("span", { textContent: `  one of several among ${counted(size, "file")}` }) : null), number(architecture.loopCount));
  return parts.length ? element("div", {}, parts) : null;
}

function markModule(module) {
  const used = new Set(module ? module.uses.map((link) => link.target) : []);
  const users = new Set(module ? module.users.map((link) => link.source) : []);
  for (const [key, made] of cards) {
    made.classList.toggle("chosen", module?.number === key);
    made.classList.toggle("used", used.has(key));
    made.classList.toggle("user", users.has(key));
    made.setAttribute("aria-pressed", String(chosenModule?.number === key));
  }
  layers.classList.toggle("focused", module !== null);
  drawArrows(module);
}

const heaviest = (links, most) => [...links].sort((a, b) => b.total - a.total).slice(0, most);

/** Draw the links of one module, or the heaviest of each and the heaviest against the layers. */
function drawArrows(module) {
  const links = module ? [...module.users, ...module.uses] : [
    ...modules.flatMap((each) => heaviest(each.uses.filter((link) => !link.against), 2)),
    ...heaviest(modules.flatMap((each) => each.uses.filter((link) => link.against)), 12),
  ];
  const origin = layers.getBoundingClientRect();
  const most = Math.max(1, ...links.map((link) => link.total));
  byId("arrows").replaceChildren(...links.filter((link) => cards.has(link.source) && cards.has(link.target)).map((link) => {
    const kind = module ? (link.source === module.number ? "used" : "user") : "";
    return drawn("path", {
      d: arrow(cards.get(link.source).getBoundingClientRect(), cards.get(link.target).getBoundingClientRect(), origin, link.against ? 14 : 0),
      class: link.against ? `${kind} against` : kind, "stroke-width": (1 + 3 * Math.sqrt(link.total / most)).toFixed(2),
    });
  }));
}

function arrow(from, to, origin, aside) {
  const [x1, x2] = [from.left + from.width / 2 - origin.left + aside, to.left + to.width / 2 - origin.left + aside];
  if (Math.abs(from.top - to.top) < 4) {
    const y = from.top - origin.top;
    return `M${x1} ${y}C${x1} ${y - 26} ${x2} ${y - 26} ${x2} ${y}`;
  }
  const isDown = to.top > from.top;
  const [y1, y2] = [(isDown ? from.bottom : from.top) - origin.top, (isDown ? to.top : to.bottom) - origin.top];
  const bend = Math.max(16, Math.abs(y2 - y1) / 2) * (isDown ? 1 : -1);
  return `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
}

function chooseModule(module) {
  chosenModule = module;
  markModule(module);
  drawPanel();
}

function modulePanel(module) {
  const roles = (link) => [[link.calls, "call"], [link.types, "type"], [link.imports, "import"], [link.inherits, "inheritance"]]
    .filter(([count]) => count).map(([count, role]) => counted(count, role)).join(", ");
  const linkRow = (end) => (link) => element("button", { class: "row swatched", title: roles(link) + (link.against ? "; against the layers" : ""), onclick: () => chooseModule(modules[link[end]]) },
    swatch(link[end]), element("span", { class: "name", textContent: modules[link[end]].name }), element("span", { class: "number", textContent: `${number(link.total)}×${link.against ? " ↑" : ""}` }));
  const members = module.members.map((each) => files[each]).filter(Boolean);
  return [
    element("h2", { textContent: module.name }),
    element("p", { class: "path", textContent: module.path }),
    element("div", { class: "chips" },
      element("span", { class: "chip" }, swatch(module.number), `${percent(module.share)} of the rank`),
      element("span", { class: "chip", textContent: counted(module.count, "file") }),
      module.tests ? element("span", { class: "chip", textContent: `used by ${counted(module.tests, "test file")}` }) : null),
    ...(module.folder ? [element("button", { class: "text-button", textContent: "Show on the map", onclick: () => { show("map"); zoom(folderAt(module.folder)); } })] : []),
    ...list("Uses", heaviest(module.uses, 40), linkRow("target"), "", 40),
    ...list("Used by", heaviest(module.users, 40), linkRow("source"), "", 40),
    ...(module.uses.length + module.users.length ? [edgeKey()] : []),
    ...list("Files", members, (file) => fileRow(file, ""), number(module.count)),
  ].filter(Boolean);
}

// --- views --------------------------------------------------------------------------------------------------------

const views = ["map", "architecture"];

function show(view) {
  if (!byId(`${view}-view`).hidden) return;
  for (const each of views) {
    byId(`${each}-view`).hidden = each !== view;
    byId(`${each}-tab`).setAttribute("aria-selected", String(each === view));
    byId(`${each}-tab`).tabIndex = each === view ? 0 : -1;
  }
  chosenModule = null;
  state.module = null;
  if (view === "map") drawMap();
  else markModule(null);
  drawPanel();
  host?.postMessage({ kind: "viewed", view });
}

for (const view of views) {
  const tab = byId(`${view}-tab`);
  tab.onclick = () => show(view);
  tab.onkeydown = (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = views[(views.indexOf(view) + 1) % views.length];
    show(other);
    byId(`${other}-tab`).focus();
  };
}

new ResizeObserver(() => {
  if (!byId("map-view").hidden) drawMap();
  else drawArrows(chosenModule);
}).observe(document.querySelector("main"));

byId("name").textContent = data.name;
byId("extent").textContent = data.fileCount > files.length
  ? `the ${number(files.length)} highest ranked of ${counted(data.fileCount, "file")}`
  : counted(files.length, "file");
drawArchitecture();
drawPanel();
drawMap();
const first = files.find((file) => `#${encodeURIComponent(file.path)}` === location.hash);
if (first) choose(first, { reveal: true });
prefersDark.onchange = followTheme;
if (host) {
  new MutationObserver(followTheme).observe(document.body, { attributeFilter: ["data-vscode-theme-kind"] });
  window.onmessage = (event) => obey(event.data);
  host.postMessage({ kind: "ready" });
}
