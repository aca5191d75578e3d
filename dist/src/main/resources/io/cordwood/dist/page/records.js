// The records that the page holds: in order, each once, and not more than memory allows.

/** What is beyond is let go, at the end that the reader is farther from, and can be loaded again. */
export const MAX_RECORDS = 1_000_000;
export const MAX_CHARS = 288 << 20;

/** What a record takes beside its text. */
const OVERHEAD_CHARS = 60;
const OVERHEAD_OF_FIELD = 20;

/** More come in a piece of their own, so that to add and to let go moves few others. */
const PIECE = 5000;

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
  constructor(piece = PIECE) {
    this.piece = piece;
    this.clear();
  }

  clear() {
    this.pieces = []; // { begin, records }: a place is counted on from `begin` of the first one, which may be negative
    this.chars = 0;
    this.letGo = { older: 0, newer: 0 };
    this.topics = new Set();
  }

  get begin() {
    return this.pieces[0]?.begin ?? 0;
  }

  get size() {
    const last = this.pieces.at(-1);
    return last ? last.begin + last.records.length - this.begin : 0;
  }

  /** The record at a place from the oldest one on, or before the end if that is negative; undefined if there is none. */
  at(index) {
    const place = this.begin + (index < 0 ? this.size + index : index);
    const piece = this.pieces[this.pieceOf(place)];
    return piece?.records[place - piece.begin];
  }

  /** Which piece has a place. */
  pieceOf(place) {
    let low = 0;
    let high = this.pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.pieces[middle].begin <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  *[Symbol.iterator]() {
    for (const { records } of this.pieces) yield* records;
  }

  /** No more than so many of the newest ones, as an array. */
  newest(many) {
    return Array.from({ length: Math.min(many, this.size) }, (_, i) => this.at(i - Math.min(many, this.size)));
  }

  /** Those before all that are held; returns how many were let go at the other end. */
  prepend(records) {
    if (!records.length) return 0;
    this.count(records);
    this.pieces.unshift({ begin: this.begin - records.length, records });
    return this.trim("newer");
  }

  /**
   * Those behind all that are held. Of a stream some may belong farther before, or be there already.
   *
   * @param added takes those that were not there
   */
  append(records, added = []) {
    for (const record of records) {
      const last = this.at(-1);
      if (!last || isBefore(last, record)) this.push(record);
      else if (!this.insert(record)) continue;
      added.push(record);
    }
    this.count(added);
    return this.trim("older");
  }

  push(record) {
    const last = this.pieces.at(-1);
    if (last && last.records.length < this.piece) last.records.push(record);
    else this.pieces.push({ begin: this.begin + this.size, records: [record] });
  }

  insert(record) {
    const at = this.placeOf(record);
    const there = this.at(at);
    if (there && there.ulid === record.ulid && originOf(there) === originOf(record)) return false;
    const number = this.pieceOf(this.begin + at);
    const { begin, records } = this.pieces[number];
    records.splice(this.begin + at - begin, 0, record);
    for (const later of this.pieces.slice(number + 1)) later.begin++;
    return true;
  }

  /** The place of the first record that is not before this one. */
  placeOf(record) {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.at(middle), record)) low = middle + 1;
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
    let many = Math.max(0, this.size - MAX_RECORDS);
    let { chars } = this;
    const at = i => this.at(end === "older" ? i : this.size - 1 - i);
    for (let i = 0; i < many; i++) chars -= cost(at(i));
    while (chars > MAX_CHARS && many < this.size - 1) chars -= cost(at(many++));
    this.chars = chars;
    this.letGo[end] += many;
    this.drop(end, many);
    return many;
  }

  drop(end, many) {
    const isOlder = end === "older";
    for (let left = many; left > 0; ) {
      const piece = this.pieces.at(isOlder ? 0 : -1);
      const some = Math.min(left, piece.records.length);
      piece.records.splice(isOlder ? 0 : -some, some);
      if (isOlder) piece.begin += some;
      if (!piece.records.length) this.pieces.splice(isOlder ? 0 : -1, 1);
      left -= some;
    }
  }
}
