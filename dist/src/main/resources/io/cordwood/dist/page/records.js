// The records that the page holds: in order, each once, and not more than memory allows.

/** What is beyond is let go, at the end that the reader is farther from, and can be loaded again. */
export const MAX_RECORDS = 1_000_000;
export const MAX_CHARS = 288 << 20;

/** What a record takes beside its text. */
const OVERHEAD_CHARS = 60;
const OVERHEAD_OF_FIELD = 20;

const cost = ({ text, bytes, parsed }) => text.length + (bytes?.length ?? 0) + OVERHEAD_CHARS + (parsed ? costOf(parsed) : 0);

function costOf({ message = "", fields = {} }) {
  let chars = message.length;
  for (const name in fields) chars += fields[name].length + OVERHEAD_OF_FIELD;
  return chars;
}

/** Which records of one ULID are the same: of one topic, and with the same labels. */
const originOf = ({ topic, labels }) => (labels ? `${topic}\n${JSON.stringify(labels)}` : topic);

const isBefore = (a, b) => a.ulid < b.ulid || (a.ulid === b.ulid && originOf(a) < originOf(b));

export class HeldRecords {
  constructor() {
    this.clear();
  }

  clear() {
    this.all = [];
    this.chars = 0;
    this.letGo = { older: 0, newer: 0 };
    this.topics = new Set();
  }

  get size() {
    return this.all.length;
  }

  /** Those before all that are held; returns how many were let go at the other end. */
  prepend(records) {
    this.count(records);
    this.all = records.concat(this.all);
    return this.trim("newer");
  }

  /**
   * Those behind all that are held. Of a stream some may belong farther before, or be there already.
   *
   * @param added takes those that were not there
   */
  append(records, added = []) {
    for (const record of records) {
      const last = this.all.at(-1);
      if (!last || isBefore(last, record)) this.all.push(record);
      else if (!this.insert(record)) continue;
      added.push(record);
    }
    this.count(added);
    return this.trim("older");
  }

  insert(record) {
    const at = this.placeOf(record);
    const there = this.all[at];
    if (there && there.ulid === record.ulid && originOf(there) === originOf(record)) return false;
    this.all.splice(at, 0, record);
    return true;
  }

  /** The place of the first record that is not before this one. */
  placeOf(record) {
    let low = 0;
    let high = this.all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.all[middle], record)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  count(records) {
    for (const record of records) {
      this.chars += cost(record);
      this.topics.add(record.topic);
    }
  }

  trim(end) {
    let many = Math.max(0, this.all.length - MAX_RECORDS);
    let chars = this.chars;
    const at = i => this.all[end === "older" ? i : this.all.length - 1 - i];
    for (let i = 0; i < many; i++) chars -= cost(at(i));
    while (chars > MAX_CHARS && many < this.all.length - 1) chars -= cost(at(many++));
    if (many) {
      this.all = end === "older" ? this.all.slice(many) : this.all.slice(0, -many);
      this.chars = chars;
      this.letGo[end] += many;
    }
    return many;
  }
}
