// JSON that stands in a record, as a tree to be shown. What fields a record has, the node says: this only lays out its text.

/** More of a record is not looked at, nor are more braces in it. */
const MAX_CHARS = 64 << 10;
const MAX_TRIES = 8;

/** What is deeper is not laid out. */
const MAX_DEPTH = 100;

const OBJECT = /(?<!\S)\{(?=\s*")/g;
const TOKEN = /\s*([{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+)/sy;

/**
 * The first object that has an end, as it is written: { root, begin, end, leaves }; null if there is none. A node has
 * `entries`, [key, node], or is a leaf with its `path` and `text`.
 */
export function jsonIn(text) {
  const head = text.slice(0, MAX_CHARS);
  let tries = 0;
  for (const { index } of head.matchAll(OBJECT)) {
    if (++tries > MAX_TRIES) break;
    const reader = new Reader(head, index);
    const root = reader.value("", 0);
    if (root) return { root, begin: index, end: reader.end, leaves: reader.leaves };
  }
  return null;
}

class Reader {
  end = 0;
  leaves = new Set();

  constructor(text, at) {
    Object.assign(this, { text, at });
    this.step();
  }

  /** Goes on to the next token; an empty one if there is none. */
  step() {
    TOKEN.lastIndex = this.at;
    this.token = TOKEN.exec(this.text)?.[1] ?? "";
    if (this.token) this.at = TOKEN.lastIndex;
  }

  /** The value that begins here; null if it is none, or has no end. */
  value(path, depth) {
    const { token } = this;
    if (token === "{" || token === "[") return depth < MAX_DEPTH ? this.parts(path, depth) : this.deeper();
    if (!token || "}],:".includes(token)) return null;
    this.leaves.add(path);
    this.step();
    return token[0] === '"' ? { path, text: decoded(token), isString: true } : { path, text: token };
  }

  parts(path, depth) {
    const open = this.token;
    const close = open === "{" ? "}" : "]";
    const entries = [];
    this.step();
    while (this.token !== close) {
      const key = open === "{" ? this.key() : entries.length;
      const below = open === "[" ? `${path}[${key}]` : path ? `${path}.${key}` : key;
      const node = key === null ? null : this.value(below, depth + 1);
      if (!node || (this.token !== "," && this.token !== close)) return null;
      entries.push([key, node]);
      if (this.token === ",") this.step();
    }
    this.close();
    return { open, entries };
  }

  /** A key and its colon; null if they are not there. */
  key() {
    const { token } = this;
    this.step();
    if (token[0] !== '"' || this.token !== ":") return null;
    this.step();
    return decoded(token);
  }

  close() {
    this.end = this.at;
    this.step();
  }

  deeper() {
    let depth = 0;
    do {
      if (!this.token) return null;
      depth += "{[".includes(this.token) ? 1 : "}]".includes(this.token) ? -1 : 0;
      this.close();
    } while (depth);
    return { isUnread: true };
  }
}

function decoded(token) {
  try {
    return JSON.parse(token);
  } catch {
    return token.slice(1, -1);
  }
}
