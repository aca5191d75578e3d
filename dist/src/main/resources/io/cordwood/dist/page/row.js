// A record as a row: when, how bad, of which topic and sender, what.

import { h } from "./dom.js";
import { gist, written } from "./gist.js";
import { harmless, shown } from "./line.js";
import { levelOf, valueOf } from "./parse.js";
import * as times from "./times.js";
import { timeOf } from "./ulid.js";

const MAX_CELL_CHARS = 300;

/** What rows have now: columns, marks, and the time since the row before. */
export const look = { marks: [], topics: false, dates: false, columns: [], delta: false, raw: false };

/** @param before the record before it in time, if that is known */
export function row(record, { context = false, before = null } = {}) {
  const millis = timeOf(record.ulid);
  const level = levelOf(record);
  const marks = context ? [] : look.marks;
  return h(
    "div",
    { class: `row ${level && `level-${level}`} ${context ? "context" : ""}` },
    h("span", { class: "meta" }, ...meta(record, millis, level, before)),
    h("span", { class: "text", dir: "ltr" }, ...inside(record, marks)),
  );
}

function meta(record, millis, level, before) {
  return [
    h("time", { title: times.iso(millis), datetime: times.iso(millis) },
      look.dates && h("span", { class: "day" }, `${times.date(millis).slice(5)} `), times.clock(millis)),
    look.delta && since(millis, before),
    h("span", { class: "level", title: level, "aria-label": level }, level ? level[0].toUpperCase() : " "),
    look.topics && h("span", { class: "topic", title: record.topic }, record.topic),
    ...look.columns.map(column => cell(record, column)),
  ];
}

/** The time since the row before. */
function since(millis, before) {
  const passed = before === null ? null : millis - timeOf(before.ulid);
  return h("span", { class: passed >= 1000 ? "delta long" : "delta" }, passed === null ? "" : `+${passed ? times.span(passed) : 0}`);
}

function cell(record, { name, width }) {
  const value = valueOf(record, name) ?? null;
  const title = value === null ? null : `${harmless(name)}=${harmless(value.slice(0, MAX_CELL_CHARS))}`;
  return h("span", { class: "cell", title, dir: "ltr", style: { flexBasis: `${width}ch` } }, ...(value === null ? [] : shown(value.slice(0, MAX_CELL_CHARS), [])));
}

function inside(record, marks) {
  const { message, beside } = look.raw ? written(record) : gist(record, marks, look.columns);
  const lines = record.text.split("\n").length - 1;
  return [
    ...(message ? shown(message, marks) : [h("span", { class: "odd" }, "(empty)")]),
    beside && h("span", { class: "beside" }, ...shown(`  ${beside}`, marks)),
    lines > 0 && h("span", { class: "odd more" }, `+${lines} ${lines === 1 ? "line" : "lines"}`),
    record.bytes !== null && h("span", { class: "odd more", title: "Bytes that are no UTF-8 are shown as \ufffd" }, "not UTF-8"),
  ];
}

/** What a screen reader says of a row. */
export const spoken = record => `${times.clock(timeOf(record.ulid))} ${levelOf(record)} ${harmless(gist(record, [], []).message.slice(0, 200))}`;
