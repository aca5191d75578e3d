// An open record: all of it, its fields, and what is around it.

import * as answer from "./answer.js";
import { button, copy, h, menu } from "./dom.js";
import { shown } from "./line.js";
import { linkOf } from "./links.js";
import { narrow } from "./narrow.js";
import { asField, isFrame, named, ownField } from "./parse.js";
import { look, row } from "./row.js";
import * as times from "./times.js";
import { jsonIn } from "./tree.js";
import { timeOf } from "./ulid.js";

/** So much of a record is shown at once; more of it on demand. */
const PIECE_CHARS = 64 << 10;
const MAX_LINES = 400;
const CONTEXT_STEP = 5;
const MAX_CONTEXT = 1000;

/** What was made of open records outlives that they are scrolled out of sight. */
const kept = new WeakMap();

/**
 * The element of an open record.
 *
 * @param does what choices do: `only`, `not`, `where`, `count`, `topic`, `link`, `close`, `column`,
 * `isColumn`; `before(record)` is the one before it in time; `around(record)` hears that others come
 * around it, and `isNewestFirst` says in which order
 */
export function detail(record, does) {
  const state = kept.get(record) ?? { before: [], after: [], wanted: 0, raw: false, chars: PIECE_CHARS, note: "" };
  kept.set(record, state);
  const element = h("article", { class: "item open" });
  const draw = () => {
    const self = row(record, { before: does.before(record) });
    self.addEventListener("click", () => String(getSelection()) || does.close(record));
    const box = h("div", { class: "detail" }, ...inside(record, state, does, widenIt, draw));
    const around = [state.before, state.after].map(side => side.map(r => row(r, { context: true })));
    const [above, below] = does.isNewestFirst() ? around.reverse().map(side => side.reverse()) : around;
    element.replaceChildren(...above, self, box, ...below);
    element.ownPart = () => ({ from: self.offsetTop, height: self.offsetHeight + box.offsetHeight });
  };
  const widenIt = () => widen(record, state, () => {
    does.around(record);
    draw();
  });
  element.widen = widenIt;
  draw();
  return element;
}

/** More of what its sender has sent before it and after it. */
async function widen(record, state, draw) {
  const wanted = Math.min(MAX_CONTEXT, state.wanted ? state.wanted * 3 : CONTEXT_STEP);
  state.wanted = wanted;
  state.note = "looking around …";
  draw();
  try {
    const parameters = new URLSearchParams({
      from: record.ulid, to: record.ulid, topic: record.topic, before: wanted, after: wanted });
    const { found, verdict } = await answer.records(parameters, {});
    if (wanted < state.wanted) return; // A wider look has begun, and its answer may be there already.
    const at = found.findIndex(r => r.ulid === record.ulid);
    const side = Math.min(wanted, at < 0 ? 0 : at);
    state.before = found.slice(0, side);
    state.after = at < 0 ? [] : found.slice(at + 1);
    state.note = `${state.before.length} before and ${state.after.length} after, of the same sender`
      + (verdict.verdict === "complete" ? "" : "; some may be missing");
  } catch (e) {
    if (wanted < state.wanted) return;
    state.note = e.message;
  }
  draw();
}

function inside(record, state, does, widenIt, draw) {
  const millis = timeOf(record.ulid);
  const json = jsonIn(record.text);
  const beside = Object.entries(record.parsed?.fields ?? {}).filter(([name]) => !json?.leaves.has(name));
  const show = () => {
    state.raw = !state.raw;
    draw();
  };
  return [
    h("div", { class: "detail-bar" },
      h("span", { class: "when", title: "UTC" }, times.iso(millis)),
      button(record.topic, () => does.topic(record.topic), { class: "chip", title: "Only this topic" }),
      h("code", { class: "ulid" }, record.ulid),
      h("span", { class: "gap" }),
      button("Context", widenIt, { title: "What the same sender has sent before and after (c)" }),
      json && button(state.raw ? "Pretty" : "Raw", show),
      button("Copy", () => copy(record.text)),
      button("Copy link", () => does.link(record), { title: "An address that leads to this record (y)" })),
    record.labels && h("div", { class: "tree labels" }, ...Object.entries(record.labels).map(([name, value]) => field(record, 0, asField(name), asField(name), value, does))),
    state.note && h("p", { class: "note", role: "status" }, state.note),
    ...(json && !state.raw ? pretty(record, json, does) : whole(record, state, draw)),
    record.parsed?.cut && h("p", { class: "note" }, "Not all its fields are known: it is long, or has many"),
    beside.length > 0 && h("div", { class: "tree" }, ...beside.map(([name, value]) => field(record, 0, ownField(name), name, value, does))),
  ].filter(Boolean);
}

function whole(record, state, draw) {
  const text = record.text.slice(0, state.chars);
  const block = h("pre", { class: "whole", dir: "ltr", tabindex: 0 }, ...byLine(text));
  const rest = record.text.length - state.chars;
  const more = rest > 0 && button(`Show more: ${rest.toLocaleString()} characters are left`, () => {
    state.chars += PIECE_CHARS;
    draw();
  });
  return [block, more].filter(Boolean);
}

/** The lines of a text, of a stack trace the frames dimmed. */
function byLine(text) {
  const lines = text.split("\n");
  return lines.flatMap((line, i) => {
    const nodes = shown(line, look.marks);
    return [...(lines.length > 1 && isFrame(line) ? [h("span", { class: "frame" }, ...nodes)] : nodes), i < lines.length - 1 ? "\n" : ""];
  });
}

function pretty(record, { root, begin, end }, does) {
  const [prefix, suffix] = [record.text.slice(0, begin).trim(), record.text.slice(end).trim()];
  const lines = [];
  walk(root, "", 0, "");
  const cut = lines.length > MAX_LINES;
  const beside = text => text && h("pre", { class: "whole", dir: "ltr" }, ...shown(text.slice(0, PIECE_CHARS), look.marks));
  return [
    beside(prefix),
    h("div", { class: "tree json" }, ...lines.slice(0, MAX_LINES)),
    cut && h("p", { class: "note" }, `${lines.length - MAX_LINES} lines more: see Raw`),
    beside(suffix),
  ].filter(Boolean);

  function walk(node, name, depth, comma) {
    if (lines.length > MAX_LINES * 4) return;
    if (node.isUnread) {
      lines.push(line(depth, "\u2026 deeper than is shown: see Raw"));
      return;
    }
    const { open, entries } = node;
    if (!entries) {
      lines.push(field(record, depth, ownField(node.path), name, node.text, does, { json: true, isString: node.isString, comma }));
      return;
    }
    const list = open === "[";
    const close = list ? "]" : "}";
    const label = name && [h("span", { class: "key" }, ...shown(name, [])), ": "];
    if (!entries.length) {
      lines.push(line(depth, ...(label || []), open + close + comma));
      return;
    }
    lines.push(line(depth, ...(label || []), open));
    entries.forEach(([key, inner], i) =>
      walk(inner, list ? "" : key, depth + 1, i < entries.length - 1 ? "," : ""));
    lines.push(line(depth, close + comma));
  }
}

const line = (depth, ...nodes) => h("div", { class: "kv", style: { paddingLeft: `${depth * 1.25}rem` } }, ...nodes);

function field(record, depth, path, name, text, does, { json = false, isString = !json, comma = "" } = {}) {
  const kind = isString ? "string" : "scalar";
  const isOfLines = isString && /\n./.test(text);
  return line(
    depth,
    ...(name ? [h("span", { class: "key" }, ...shown(name, [])), json ? ": " : " = "] : []),
    linked(path, text, h("span", { class: isOfLines ? `${kind} lines` : kind, dir: "ltr" },
      ...(isOfLines ? byLine(text.replace(/\r?\n$/, "")) : shown(json && isString ? JSON.stringify(text) : text, look.marks)))),
    comma,
    ...acts(path, text, record, does),
  );
}

/** What can be done with a value: buttons beside it, or where nothing hovers one that opens a menu of them. */
function acts(path, text, record, does) {
  const choose = isNot => () => narrow(does, record, path, text, isNot);
  const all = [
    ["only", choose(false), "Only records with this", `Only records with ${path} ${text}`],
    ["not", choose(true), "Not records with this", `Not records with ${path} ${text}`],
    !path.includes("[") && [does.isColumn(path) ? "no column" : "column", () => does.column(path), "A column of its own in all rows", `${path} as a column`],
    named(path) && ["count", () => does.count(path), "Count all that match by this field", `Count by ${path}`],
    ["copy", () => copy(text), "Copy this value", `Copy the value of ${path}`],
  ].filter(Boolean);
  const opener = button("\u22EF", event => {
    event.stopPropagation();
    menu(opener, all.map(([, act, title]) => [title, act]));
  }, { class: "acts-menu", "aria-label": `What can be done with ${path}`, "aria-haspopup": "menu", "aria-expanded": "false" });
  return [
    h("span", { class: "acts" }, ...all.map(([name, act, title, label]) => button(name, act, { title, "aria-label": label }))),
    opener,
  ];
}

/** A value that leads somewhere, by the templates of the node. */
function linked(path, text, shown) {
  const link = linkOf(path, text);
  return link === null ? shown : h("a", { href: link, target: "_blank", rel: "noopener noreferrer", title: link }, shown);
}

/** The time in the reader's zone, for who hears it. */
export const when = record => times.text(timeOf(record.ulid));
