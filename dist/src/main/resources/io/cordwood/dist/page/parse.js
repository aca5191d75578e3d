// What a record says in a form that is known: JSON, logfmt, a level, a stack trace. Records that are neither have no fields.

const MAX_FIELDS = 200;

/** What is deeper in JSON has no fields, and is shown as it stands. */
export const MAX_DEPTH = 100;
const MAX_CHARS = 64 << 10;
const LEVEL_KEYS = new Set(["level", "lvl", "severity", "loglevel", "log.level", "levelname"]);
const LEVELS = {
  error: "fatal critical crit severe emerg panic alert error err 50 60", warn: "warning warn 40", info: "info notice 30",
  debug: "debug trace fine finer finest 10 20",
};
const LEVEL_OF = new Map(Object.entries(LEVELS).flatMap(([level, words]) => words.split(" ").map(word => [word, level])));
const LEVEL = new RegExp(`\\b(?:${[...LEVEL_OF.keys()].filter(word => /\D/.test(word)).join("|").toUpperCase()})\\b`);
const LEVEL_VALUE = /(?:level|lvl|severity|levelname)"?[ \t]*[:=][ \t]*"?(\w+)/gi;
const COLOUR = /\x1b\[[0-9;:]*m/g;
const LOGFMT = /(?:^|\s)([A-Za-z_][\w.\-/@]{0,63})=("(?:[^"\\]|\\.)*"|[^\s"]*)/g;
const FRAME = /^\s+(?:at |\.\.\. \d+ |File ")|^(?:Caused by|Suppressed|Traceback)\b|^\s+Suppressed:/;

/** "error", "warn", "info", "debug", or "" if it says none near its begin: as the node has it, which counts by level. */
export function levelOf(text) {
  const head = (text.length > 400 ? text.slice(0, 400) : text).replace(COLOUR, " ");
  for (const [, value] of head.matchAll(LEVEL_VALUE)) {
    const level = LEVEL_OF.get(value.toLowerCase());
    if (level) return level;
  }
  const found = LEVEL.exec(head);
  return found ? LEVEL_OF.get(found[0].toLowerCase()) : "";
}

/** The object that a record is, or ends with; undefined if there is none. */
export function json(text) {
  const begin = text.indexOf("{");
  if (begin < 0 || text.length > MAX_CHARS || !text.trimEnd().endsWith("}")) return undefined;
  try {
    const object = text.slice(begin);
    return LONG_NUMBER.test(object) ? JSON.parse(object, asWritten) : JSON.parse(object);
  } catch {
    return undefined;
  }
}

const LONG_NUMBER = /\d{16}|\d\.\d*0(?!\d)|\d[eE]/;

/** A number that a browser would write in another way than its record does. */
class Written {
  constructor(source) {
    this.source = source;
  }

  toString() {
    return this.source;
  }
}

/** Browsers that do not tell how a number was written show what they make of it. */
const asWritten = (key, value, context) =>
  typeof value === "number" && context?.source && context.source !== String(value) ? new Written(context.source) : value;

/** Whether it is an object or a list, and so has fields of its own. */
export const hasParts = value => value !== null && typeof value === "object" && !(value instanceof Written);

function flatten(value, path, found, depth = 0) {
  if (found.length >= MAX_FIELDS || depth > MAX_DEPTH) return;
  if (hasParts(value)) {
    const list = Array.isArray(value);
    for (const [key, inner] of Object.entries(value)) flatten(inner, list ? `${path}[]` : path ? `${path}.${key}` : key, found, depth + 1);
  } else if (path) found.push([path, value === null ? "null" : String(value)]);
}

/** The fields of a record: { form, fields: [name, value] }. */
export function fieldsOf(text) {
  const object = json(text);
  if (object !== undefined) {
    const fields = [];
    flatten(object, "", fields);
    return { form: "json", fields, object };
  }
  const fields = accessLog(text);
  const form = fields.length ? "access log" : "logfmt";
  for (const [, key, value] of (text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) : text).matchAll(LOGFMT)) {
    if (fields.length < MAX_FIELDS) fields.push([key, unquoted(value)]);
  }
  return { form: fields.length ? form : "text", fields };
}

/** The common and the combined format, or these after a virtual host; a hyphen is no value. */
const ACCESS_LOG = /^\s*(?:([^\s:]+):\d+ )?(\S+) (\S+) (\S+) \[([^\]]*)\] "((?:[^"\\]|\\.)*)" (\d{3}|-) (\d+|-)(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?(?=\s|$)/;

function accessLog(text) {
  const found = ACCESS_LOG.exec(text);
  if (!found) return [];
  const [, vhost, remote, ident, user, time, request, status, size, referer, agent] = found;
  const [method, path, protocol] = request.split(" ");
  return Object.entries({ vhost, remote, ident, user, time, request, method, path, protocol, status, size, referer, agent })
    .filter(([, value]) => value !== undefined && value !== "-");
}

function unquoted(value) {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, (_, c) => ({ n: "\n", t: "\t" })[c] ?? c) : value;
}

const escaped = text => text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");

/** The text of a record in which it gives a field this value, as a pattern to look for; the value alone if that is not seen. */
export function literalOf(text, name, value) {
  const key = name.replace(/\[\d*\]$/g, "").split(".").pop();
  const asJson = JSON.stringify(value);
  const inJson = new RegExp(`"${escaped(JSON.stringify(key).slice(1, -1))}"\\s*:\\s*(?:${escaped(asJson)}|${escaped(value)}(?=[\\s,}\\]]))`).exec(text);
  if (inJson) return inJson[0];
  const inLogfmt = new RegExp(`(?<=^|\\s)${escaped(name)}=(?:${escaped(asJson)}|${escaped(value)}(?=\\s|$))`).exec(text);
  return inLogfmt?.[0] ?? value;
}

const PLAIN_NAME = /^[^\s=!<>~?,()"']{1,200}$/;
const PLAIN_VALUE = /^[^\s,()"']{1,200}$/;
const MAX_QUOTED = 300;

/** A field's name as conditions have it; null for what they cannot name, such as any element of a list. */
export const named = name => (name.includes("[]") || name.length > 200 ? null : PLAIN_NAME.test(name) ? name : JSON.stringify(name));

/** The condition that a field is this value, or is not; null if that cannot be said of this record. */
export function conditionOf(text, name, value, isNot) {
  const field = named(name);
  if (!field || value.length > MAX_QUOTED || !isWritten(text, value)) return null;
  return `${field}${isNot ? "?!=" : "="}${PLAIN_VALUE.test(value) ? value : JSON.stringify(value)}`;
}

/** Numbers are compared as they are written, and a browser may write them in another way. */
const isWritten = (text, value) => text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1));

export const isLevel = name => LEVEL_KEYS.has(name.toLowerCase());

export const isFrame = line => FRAME.test(line);

/** A record's shape: its text with numbers, ids, addresses and times masked, so that what differs by these is one; of JSON, its message. */
export function shapeOf(text) {
  const object = json(text);
  const said = object?.msg ?? object?.message ?? object?.event ?? object?.error;
  const level = object?.level ?? object?.severity ?? object?.lvl;
  const line = typeof said === "string" ? said : text;
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
  return { shape: typeof said === "string" && typeof level === "string" ? `${level}: ${masked}` : masked, constant: constantOf(masked) };
}

/** The longest text that all records of a shape have as it is: what to look for them by. */
function constantOf(masked) {
  const cut = masked.split(/\u2039(?:n|id|ip|hex|time)\u203a|["\\\x00-\x1f]/).map(part => part.trim());
  return cut.reduce((a, b) => (b.length > a.length ? b : a), "");
}
