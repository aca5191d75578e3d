// The fields of a record, as the node finds them: with another value "only this" would find other records. In JSON that is
// broken it may find fewer.

/** What is deeper in JSON has no fields, and is shown as it stands. */
const MAX_DEPTH = 100;
const MAX_CHARS = 64 << 10;

/** So many fields of a record are listed; conditions may have any of them. */
const MAX_FIELDS = 200;

/** After so many errors in JSON the rest of it is not looked at: each name is compared with all of them. */
const MAX_FAULTS = 50;

const TEXT_NAME = /^[A-Za-z_][\w.\-/@]{0,63}$/;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g;
const ESCAPED = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const LINE_OF_SERVER = /[^\0- =]+ [^\0- =]+ [^\0- =]+ \[/y;
/** The same after a virtual host and a port, where a request follows. */
const LINE_OF_HOST = /([^\0- :]+):\d+ (?=[^\0- =]+ [^\0- =]+ [^\0- =]+ \[[^\]]*\] ")/y;
const PARTS_OF_LINE = ["remote", "ident", "user", "time", "request", "status", "size", "referer", "agent"];
const [TIME, REQUEST, STATUS, REFERER] = [3, 4, 5, 7];
const STATUS_VALUE = /^(?:\d{3}|-)$/;

/** An escape that JSON does not know stands for itself, and half of a pair of surrogates for U+FFFD. */
const decoded = text => text.includes("\\")
  ? text.replace(ESCAPE, (_, unit, letter) => (unit ? String.fromCharCode(parseInt(unit, 16)) : ESCAPED[letter] ?? letter)).replace(/\p{Surrogate}/gu, "\ufffd")
  : text;

/**
 * What a record says. `values`: by name the value that the node finds, which is the first. `fields`: [name, value] of those
 * that are listed; elements of lists share a name. `object`: the first JSON that is whole and not empty, which is from
 * `begin` to `end`; its fields are those from `before` to `behind`. It has `entries`, [key, node], where a node has entries, or is a `text`.
 */
class Finder {
  values = new Map();
  fields = [];
  object = null;
  begin = 0;
  end = 0;
  before = 0;
  behind = 0;
  faults = [];
  isUnsure = false;

  constructor(text) {
    // A value that the cut would shorten has none.
    this.text = text.length > MAX_CHARS ? text.slice(0, text.lastIndexOf(" ", MAX_CHARS) + 1) : text;
    const at = this.skip(0);
    if (!this.isObject(at)) this.inAccessLog(at);
    this.inText(at);
  }

  add(name, value, listed) {
    if (name === null || this.values.has(name) || this.faults.some(prefix => name.startsWith(prefix))) return;
    this.values.set(name, value);
    if (listed && this.fields.length < MAX_FIELDS) this.fields.push([listed, value]);
  }

  isSpace(at) {
    return this.text.charCodeAt(at) <= 32;
  }

  skip(from) {
    let at = from;
    while (this.isSpace(at)) at++;
    return at;
  }

  space(from) {
    let at = from;
    while (at < this.text.length && !this.isSpace(at)) at++;
    return at;
  }

  closingQuote(from) {
    for (let at = from; at < this.text.length; at++) {
      if (this.text[at] === '"') return at;
      if (this.text[at] === "\\") at++;
    }
    return -1;
  }

  isObject(at) {
    return this.text[at] === "{" && ['"', "}"].includes(this.text[this.skip(at + 1)]);
  }

  /** The end of an object; -1 if it has none, or another one for each name. */
  take(begin) {
    const before = this.fields.length;
    const object = this.inObject(begin, "", "", 0);
    const { end } = object;
    if (end >= 0 && !this.object?.entries.length) Object.assign(this, { object, begin, end, before, behind: this.fields.length });
    const isUnsure = this.isUnsure || this.faults.length > MAX_FAULTS;
    this.faults = [];
    return isUnsure ? -1 : end >= 0 ? end : this.nestedEnd(begin);
  }

  /** @param path null for what no name leads to, such as what is below an empty key */
  inObject(start, path, listed, depth) {
    const entries = [];
    let at = this.skip(start + 1);
    while (at < this.text.length && this.text[at] !== "}") {
      if (this.text[at] === ",") {
        at = this.skip(at + 1);
        continue;
      }
      const end = this.text[at] === '"' ? this.closingQuote(at + 1) : -1;
      const colon = end < 0 ? -1 : this.skip(end + 1);
      if (this.text[colon] !== ":") return { end: -1 };
      const key = decoded(this.text.slice(at + 1, end));
      const below = parent => (parent === null || !key ? null : parent ? `${parent}.${key}` : key);
      const node = this.inValue(this.skip(colon + 1), below(path), below(listed), depth);
      if (node.end < 0) return node;
      entries.push([key, node]);
      at = this.skip(node.end);
    }
    return { open: "{", entries, end: at < this.text.length ? at + 1 : -1 };
  }

  inList(start, path, listed, depth) {
    const entries = [];
    let at = this.skip(start + 1);
    for (let i = 0; at < this.text.length && this.text[at] !== "]"; i++) {
      const below = parent => (parent === null ? null : `${parent}[${i}]`);
      const node = this.inValue(at, below(path), listed === null ? null : `${listed}[]`, depth);
      if (node.end < 0) return node;
      entries.push([i, node]);
      at = this.skip(node.end);
      if (this.text[at] === ",") at = this.skip(at + 1);
      else if (at < this.text.length && this.text[at] !== "]") return { end: -1 };
    }
    return { open: "[", entries, end: at < this.text.length ? at + 1 : -1 };
  }

  inValue(at, path, listed, depth) {
    const first = this.text[at];
    if (first === "{" || first === "[") return this.inParts(at, path, listed, depth + 1);
    if (first === '"') {
      const close = this.closingQuote(at + 1);
      if (close < 0) return { end: -1 };
      const text = decoded(this.text.slice(at + 1, close));
      this.add(path, text, listed);
      return { text, isString: true, end: close + 1 };
    }
    let end = at;
    while (end < this.text.length && !this.isSpace(end) && !",}]".includes(this.text[end])) end++;
    if (end === at || end === this.text.length) return { end: -1 };
    const text = this.text.slice(at, end);
    this.add(path, text, listed);
    // If it holds brackets or quotes, the node finds the end of what is around it by what it looks for.
    const isUnsure = /[{["]/.test(text);
    this.isUnsure ||= isUnsure;
    return { text, end: isUnsure ? -1 : end };
  }

  /** An object or a list, whose text is a value as well. After an error in it nothing is found in it any more. */
  inParts(at, path, listed, depth) {
    this.isUnsure ||= depth > MAX_DEPTH;
    const isList = this.text[at] === "[";
    const node = depth > MAX_DEPTH ? { end: -1 } : isList ? this.inList(at, path, listed, depth) : this.inObject(at, path, listed, depth);
    const isWhole = node.end >= 0;
    const end = isWhole ? node.end : this.nestedEnd(at);
    if (!isWhole && path !== null) this.faults.push(path + (isList ? "[" : "."));
    if (end < 0 || this.faults.length > MAX_FAULTS) return { end: -1 };
    const text = this.text.slice(at, end);
    this.add(path, text, null);
    return isWhole ? node : { text, isUnread: true, end };
  }

  nestedEnd(start) {
    let depth = 0;
    for (let at = start; at < this.text.length; at++) {
      const each = this.text[at];
      if (each === "{" || each === "[") depth++;
      else if ((each === "}" || each === "]") && --depth === 0) return at + 1;
      else if (each === '"' && (at = this.closingQuote(at + 1)) < 0) return -1;
    }
    return -1;
  }

  /** Words with an equals sign, and objects among them. */
  inText(start) {
    const { text } = this;
    let at = start;
    while (at < text.length) {
      if (this.isObject(at)) {
        const next = this.take(at);
        if (next < 0) return;
        at = this.skip(next);
        continue;
      }
      if (text[at] === '"') {
        at = this.skip(Math.max(at, this.closingQuote(at + 1)) + 1);
        continue;
      }
      let end = at;
      while (end < text.length && text[end] !== "=" && !this.isSpace(end)) end++;
      if (text[end] === "=" && end > at) {
        const next = this.inPair(text.slice(at, end), end + 1);
        if (next < 0) return;
        at = this.skip(next);
      } else at = this.skip(text[end] === "=" ? this.space(end) : end);
    }
  }

  inPair(name, at) {
    const { text } = this;
    const listed = TEXT_NAME.test(name) && name;
    if (text[at] === '"') {
      const close = this.closingQuote(at + 1);
      if (close >= 0) this.add(name, decoded(text.slice(at + 1, close)), listed);
      return close < 0 ? -1 : close + 1;
    }
    const end = this.space(at);
    const isListed = end > at && end < text.length && ",;".includes(text[end - 1]);
    this.add(name, text.slice(at, isListed ? end - 1 : end), listed);
    return end;
  }

  /** The common and the combined format; a hyphen is no value. What only begins as such lines do is not listed. */
  inAccessLog(start) {
    LINE_OF_SERVER.lastIndex = LINE_OF_HOST.lastIndex = start;
    const isPlain = LINE_OF_SERVER.test(this.text);
    const host = isPlain ? null : LINE_OF_HOST.exec(this.text);
    if (!isPlain && !host) return;
    const parts = this.partsOfLine(isPlain ? start : LINE_OF_HOST.lastIndex);
    const isListed = STATUS_VALUE.test(parts[STATUS] ?? "");
    const [method, path, protocol] = (parts[REQUEST] ?? "").split(/[\0- ]/);
    const named = parts.map((value, part) => [PARTS_OF_LINE[part], value]);
    named.splice(REQUEST + 1, 0, ["method", method], ["path", path], ["protocol", protocol]);
    if (host) named.unshift(["vhost", host[1]]);
    for (const [name, value] of named) if (value && value !== "-") this.add(name, value, isListed && name);
  }

  partsOfLine(start) {
    const { text } = this;
    const parts = [];
    for (let at = start; at < text.length && parts.length < PARTS_OF_LINE.length; ) {
      const part = parts.length;
      const [open, close] = part === TIME ? "[]" : part === REQUEST || part >= REFERER ? '""' : ["", " "];
      if (!text.startsWith(open, at)) break;
      const begin = at + open.length;
      const found = close === '"' ? this.closingQuote(begin) : text.indexOf(close, begin);
      if (found < 0 && open) break;
      const end = found < 0 ? text.length : found;
      parts.push(text.slice(begin, end));
      at = end + (open ? 2 : 1);
    }
    return parts;
  }
}

export const fieldsOf = text => new Finder(text);
