// What a record says beside its fields: a stack trace, a shape; and how its fields are named in a query.

import { fieldsOf } from "./finder.js";

const LEVEL_KEYS = new Set(["level", "lvl", "severity", "loglevel", "log.level", "levelname"]);
const FRAME = /^\s+(?:at |\.\.\. \d+ |File ")|^(?:Caused by|Suppressed|Traceback)\b|^\s+Suppressed:/;

const escaped = text => text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");

/** The text of a record in which it gives a field this value, as a pattern to look for; the value alone if that is not seen. */
export function literalOf(text, name, value) {
  const key = name.replace(/\[\d*\]$/g, "").split(".").pop();
  const asJson = JSON.stringify(value);
  const inJson = new RegExp(`"${escaped(JSON.stringify(key).slice(1, -1))}"\\s*:\\s*(?:${escaped(asJson)}|${escaped(value)}(?=[\\s,}\\]]))`).exec(text);
  if (inJson) return inJson[0];
  const inLogfmt = new RegExp(`(?<=^|\\s)${escaped(name)}=(?:${escaped(asJson)}|${escaped(value)}(?=[\\s,;]|$))`).exec(text);
  return inLogfmt?.[0] ?? value;
}

const PLAIN_NAME = /^[^\s\0-\x1f=!<>~?,()"']{1,200}$/;
const PLAIN_VALUE = /^(?![=<>~!])[^\s\0-\x1f,()"']{1,200}$/;
const MAX_QUOTED = 300;

/** A field's name as conditions have it; null for what they cannot name, such as any element of a list. */
export const named = name => (!name || name.includes("[]") || name.length > 200 ? null : PLAIN_NAME.test(name) ? name : JSON.stringify(name));

/**
 * The condition that a field is this value, or is not; null if that cannot be said of this record.
 *
 * @param text null if the node itself has given the value
 */
export function conditionOf(text, name, value, isNot) {
  const field = named(name);
  if (!field || value.length > MAX_QUOTED || (text !== null && fieldsOf(text).values.get(name) !== value)) return null;
  return `${field}${isNot ? "?!=" : "="}${PLAIN_VALUE.test(value) ? value : JSON.stringify(value)}`;
}

export const isLevel = name => LEVEL_KEYS.has(name.toLowerCase());

export const isFrame = line => FRAME.test(line);

/** A record's shape: its text with numbers, ids, addresses and times masked, so that what differs by these is one; of JSON, its message. */
export function shapeOf(text) {
  const { object } = fieldsOf(text);
  const said = firstOf(object, "msg", "message", "event", "error");
  const level = firstOf(object, "level", "severity", "lvl");
  const line = said ?? text;
  const end = line.indexOf("\n");
  const masked = line
    .slice(0, end < 0 ? 300 : Math.min(end, 300))
    .replace(/\x1b\[[0-9;:]*m/g, "")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "\u2039id\u203a")
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, "\u2039time\u203a")
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, "\u2039ip\u203a")
    .replace(/\b(?=\w*\d)(?:0x)?[0-9a-f]{8,}\b/gi, "\u2039hex\u203a")
    .replace(/\b(?=\w*\d)[A-Z0-9]{20,}\b/g, "\u2039id\u203a")
    .replace(/(?:(?<!\w)-)?\d+(?:\.\d+)?/g, "\u2039n\u203a");
  return { shape: said !== null && level !== null ? `${level}: ${masked}` : masked, constant: constantOf(masked) };
}

/** The string that an object has by the first of these keys that it has; null if that is none. */
function firstOf(object, ...keys) {
  const found = keys.map(key => object?.entries.find(([each]) => each === key)?.[1]).find(value => value && (value.isString || value.text !== "null"));
  return found?.isString ? found.text : null;
}

/** The longest text that all records of a shape have as it is: what to look for them by. */
function constantOf(masked) {
  const cut = masked.split(/\u2039(?:n|id|ip|hex|time)\u203a|["\\\x00-\x1f]/).map(part => part.trim());
  return cut.reduce((a, b) => (b.length > a.length ? b : a), "");
}
