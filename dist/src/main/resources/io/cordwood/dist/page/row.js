// A record as a row: when, how bad, of which topic and sender, what.

import { h } from "./dom.js";
import { gist, written } from "./gist.js";
import { harmless, shown } from "./line.js";
import { levelOf } from "./parse.js";
import * as times from "./times.js";
import { timeOf } from "./ulid.js";

const MAX_LABEL_CHARS = 60;

/** The columns and marks that rows have now. */
export const look = { marks: [], topics: false, dates: false, labels: [], raw: false };

export function row(record, { context = false } = {}) {
  const millis = timeOf(record.ulid);
  const level = levelOf(record);
  const marks = context ? [] : look.marks;
  return h(
    "div",
    { class: `row ${level && `level-${level}`} ${context ? "context" : ""}` },
    h("time", { title: new Date(millis).toISOString(), datetime: new Date(millis).toISOString() },
      look.dates && h("span", { class: "day" }, `${times.date(millis).slice(5)} `), times.clock(millis)),
    h("span", { class: "level", title: level, "aria-label": level }, level ? level[0].toUpperCase() : " "),
    look.topics && h("span", { class: "topic", title: record.topic }, record.topic),
    ...look.labels.map(name => label(record, name)),
    h("span", { class: "text", dir: "ltr" }, ...inside(record, marks)),
  );
}

function label({ labels }, name) {
  const value = labels?.[name];
  return value !== undefined && h("span", { class: "label", title: `@${harmless(name)}=${harmless(value)}` }, ...shown(value.slice(0, MAX_LABEL_CHARS), []));
}

function inside(record, marks) {
  const { message, beside } = look.raw ? written(record) : gist(record, marks);
  const lines = record.text.split("\n").length - 1;
  return [
    ...(message ? shown(message, marks) : [h("span", { class: "odd" }, "(empty)")]),
    beside && h("span", { class: "beside" }, ...shown(`  ${beside}`, marks)),
    lines > 0 && h("span", { class: "odd more" }, `+${lines} ${lines === 1 ? "line" : "lines"}`),
    record.bytes !== null && h("span", { class: "odd more", title: "Bytes that are no UTF-8 are shown as \ufffd" }, "not UTF-8"),
  ];
}

/** What a screen reader says of a row. */
export const spoken = record => `${times.clock(timeOf(record.ulid))} ${levelOf(record)} ${harmless(gist(record, []).message.slice(0, 200))}`;
