// What the node finds in a record, and how that is named in a query; stack traces, and shapes.

import { MASKS } from "./masks.js";

const LEVEL_KEYS = new Set(["level", "lvl", "severity", "loglevel", "log.level", "levelname"]);
const FRAME = /^\s+(?:at |\.\.\. \d+ |File ")|^(?:Caused by|Suppressed|Traceback)\b|^\s+Suppressed:/;

/** "error", "warn", "info", "debug", or "" if none is known. */
export const levelOf = record => record.parsed?.level ?? "";

/** The name of a label among those of fields. */
export const asField = label => `@${label}`;

/** The name of a record's own field: in quotes if it begins as a label's does. */
export const ownField = name => (name.startsWith("@") ? JSON.stringify(name) : name);

/** The label of that name; null if it is a field's. */
export const labelOf = name => (name.startsWith("@") ? name.slice(1) : null);

const unquoted = name => (name.startsWith('"@') ? JSON.parse(name) : name);

/** [name, value] of its labels and its fields; elements of lists share a name. */
export function fieldsOf({ parsed, labels }) {
  const found = Object.entries(labels ?? {}).map(([name, value]) => [asField(name), value]);
  for (const [name, value] of Object.entries(parsed?.fields ?? {})) found.push([ownField(name.includes("[") ? name.replace(/\[\d+\]/g, "[]") : name), value]);
  return found;
}

/** The value of a field; null if it has none, undefined if that is not known: a field may be an object, which has its own. */
export function valueOf({ parsed, labels }, name) {
  if (labelOf(name) !== null) return labels?.[labelOf(name)] ?? null;
  const fields = parsed?.fields ?? {};
  const own = unquoted(name);
  if (Object.hasOwn(fields, own)) return fields[own];
  if (labels && Object.hasOwn(labels, own)) return labels[own];
  const isKnown = parsed && !parsed.cut && !Object.keys(fields).some(each => each.startsWith(`${own}.`) || each.startsWith(`${own}[`));
  return isKnown ? null : undefined;
}

/** A text as a regular expression. */
export const asRegex = text => text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");

/** The text of a record in which it gives a field this value, as a pattern to look for; the value alone if that is not seen. */
export function literalOf(text, name, value) {
  const key = unquoted(name).replace(/\[\d*\]$/g, "").split(".").pop();
  const asJson = JSON.stringify(value);
  const inJson = new RegExp(`"${asRegex(JSON.stringify(key).slice(1, -1))}"\\s*:\\s*(?:${asRegex(asJson)}|${asRegex(value)}(?=[\\s,}\\]]))`).exec(text);
  if (inJson) return inJson[0];
  const inLogfmt = new RegExp(`(?<=^|\\s)${asRegex(name)}=(?:${asRegex(asJson)}|${asRegex(value)}(?=[\\s,;]|$))`).exec(text);
  return inLogfmt?.[0] ?? value;
}

const PLAIN_NAME = /^[^\s\0-\x1f=!<>~?,()"']{1,200}$/;
const PLAIN_VALUE = /^(?![=<>~!])[^\s\0-\x1f,()"']{1,200}$/;
const MAX_QUOTED = 300;

/** A field's name as conditions have it; null for what they cannot name, such as any element of a list. */
export const named = name => (!name || name.includes("[]") || name.length > 200 ? null : PLAIN_NAME.test(name) || name.startsWith('"@') ? name : JSON.stringify(name));

/**
 * The condition that a field is this value, or is not; null if that cannot be said of this record.
 *
 * @param record null if the node itself has given the value
 */
export function conditionOf(record, name, value, isNot) {
  const field = named(name);
  if (!field || value.length > MAX_QUOTED || (record !== null && valueOf(record, name) !== value)) return null;
  return `${field}${isNot ? "?!=" : "="}${PLAIN_VALUE.test(value) ? value : JSON.stringify(value)}`;
}

export const isLevel = name => LEVEL_KEYS.has(name.toLowerCase());

export const isFrame = line => FRAME.test(line);

/** The shape of a record, as the node has it in counts by shape: its message with numbers, ids, addresses and times masked. */
export function shapeOf({ text, parsed }) {
  const line = parsed?.message ?? text;
  const end = line.indexOf("\n");
  const first = line.slice(0, end < 0 ? 300 : Math.min(end, 300));
  const masked = MASKS.reduce((text, [pattern, by]) => text.replace(pattern, by), first);
  return { shape: parsed?.message && parsed.level ? `${parsed.level}: ${masked}` : masked, constant: constantOf(masked) };
}

/** The longest text that all records of a shape have as it is: what to look for them by. */
function constantOf(masked) {
  const cut = masked.split(/\u2039[a-z]+\u203a|["\\\x00-\x1f]/).map(part => part.trim());
  return cut.reduce((a, b) => (b.length > a.length ? b : a), "");
}
