// A record as a row: when, of which topic, what.

import { h } from "./dom.js";
import { harmless, shown } from "./line.js";
import { levelOf } from "./parse.js";
import * as times from "./times.js";
import { timeOf } from "./ulid.js";

/** More is not seen in a row of any screen. */
const MAX_CHARS = 1000;

/** The columns and marks that rows have now. */
export const look = { marks: [], topics: false, dates: false };

export function row(record, { context = false } = {}) {
  const millis = timeOf(record.ulid);
  const level = levelOf(record);
  const end = record.text.indexOf("\n");
  const line = record.text.slice(0, end < 0 ? MAX_CHARS : Math.min(end, MAX_CHARS));
  const lines = end < 0 ? 0 : record.text.split("\n").length - 1;
  return h(
    "div",
    { class: `row ${level && `level-${level}`} ${context ? "context" : ""}` },
    h("time", { title: new Date(millis).toISOString(), datetime: new Date(millis).toISOString() },
      look.dates && h("span", { class: "day" }, `${times.date(millis).slice(5)} `), times.clock(millis)),
    look.topics && h("span", { class: "topic", title: record.topic }, record.topic),
    h("span", { class: "text", dir: "ltr" }, ...(line ? shown(line, context ? [] : look.marks) : [h("span", { class: "odd" }, "(empty)")]),
      lines > 0 && h("span", { class: "odd more" }, `+${lines} ${lines === 1 ? "line" : "lines"}`),
      record.bytes !== null && h("span", { class: "odd more", title: "Bytes that are no UTF-8 are shown as \ufffd" }, "not UTF-8")),
  );
}

/** What a screen reader says of a row. */
export const spoken = record => `${times.clock(timeOf(record.ulid))} ${harmless(record.text.slice(0, 200))}`;
