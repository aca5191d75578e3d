// What of a record a row begins with: what it says. What it says it with comes after that.

import { ranges } from "./highlight.js";
import { isLevel, ownField } from "./parse.js";

/** More is not seen in a row of any screen. */
const MAX_CHARS = 1000;
const MAX_VALUE_CHARS = 200;

/** What an access log's request has in it. */
const OF_REQUEST = new Set(["method", "path", "protocol"]);

/** The first line as it is written. */
export function written({ text }) {
  const end = text.indexOf("\n");
  return { message: text.slice(0, end < 0 ? MAX_CHARS : Math.min(end, MAX_CHARS)), beside: "" };
}

/**
 * The message of a record, then its other fields; as it is written if the node finds none, or if that alone shows what is
 * searched for.
 *
 * @param marks expressions for what is searched for
 * @param columns whose values the row has already
 */
export function gist(record, marks, columns) {
  const raw = written(record);
  const { message = "", time, fields = {} } = record.parsed ?? {};
  if (!message || message.startsWith("\n")) return raw;
  const line = message.split("\n", 1)[0].slice(0, MAX_CHARS);
  const found = { message: line, beside: others(fields, line, time, isRest(record.text, line), columns) };
  const shows = text => ranges(text, marks).length > 0;
  return marks.length && !shows(found.message) && !shows(found.beside) && shows(raw.message) ? raw : found;
}

/** Whether a message is the rest of its line, which may have fields in it. */
function isRest(text, message) {
  const end = text.indexOf("\n");
  const line = end < 0 ? text : text.slice(0, end);
  return line.endsWith(message) && !line.endsWith(`=${message}`);
}

/** Fields but the message, the level and the time, which the row has elsewhere. */
function others(fields, message, time, isRest, columns) {
  const isAccess = fields.request === message;
  const shown = [];
  let left = MAX_CHARS - message.length;
  for (const name in fields) {
    const value = fields[name];
    if (columns.some(column => column.name === ownField(name))) continue;
    if (value === time || isLevel(name) || value.startsWith(message) || (isRest && message.includes(value)) || (isAccess && OF_REQUEST.has(name))) continue;
    const text = `${name}=${quotedIfOdd(value.slice(0, MAX_VALUE_CHARS))}`;
    left -= text.length;
    if (left < 0) break;
    shown.push(text);
  }
  return shown.join("  ");
}

const quotedIfOdd = value => (!value || /[\s"]/.test(value) ? JSON.stringify(value) : value);
