// How the bars of the histogram are split: by level, as the node counts them, or by the values of a field.

import { headers, objects, setAll } from "./answer.js";
import { levelOf, named, valueOf } from "./parse.js";
import { iso } from "./times.js";

/** As `/histogram?levels=true` gives them. */
const LEVELS = ["error", "warn", "info", "debug", "none"];

/** So many values are told apart, those of most records; the others are one. */
const MOST_VALUES = 5;

/** A split by a field is asked for in so many parts of the range. */
const MOST_SLICES = 8;

/** By level. Each bucket has a number for each. */
class LevelSplit {
  names = LEVELS;
  classes = LEVELS.map(name => `of-${name}`);

  /** Adds to what the histogram is asked for. */
  addTo(parameters) {
    parameters.set("levels", "true");
  }

  /** Of a record; -1 if that is not known. */
  placeOf(record) {
    return record.parsed ? LEVELS.indexOf(levelOf(record) || "none") : -1;
  }

  /** The histogram has it all. */
  async ask() {
    return [];
  }
}

/** By a field: asked for in slices of the range once it is known where records are, so that it fills from the left too. */
class FieldSplit {
  names = [];

  constructor(field) {
    this.field = field;
  }

  get classes() {
    return this.names.map((_, i) => (i < this.names.length - 1 ? `of-${i}` : "of-none"));
  }

  addTo() {}

  placeOf(record) {
    const value = valueOf(record, this.field);
    return value === undefined ? -1 : this.placeOfValue(value);
  }

  placeOfValue(value) {
    const at = this.names.lastIndexOf(value, this.names.length - 2);
    return at < 0 ? this.names.length - 1 : at;
  }

  /** Asks for each slice in turn; `drawn` is given numbers for each bucket and value, after each. Returns the verdicts. */
  async ask(parameters, { first, width, counts, range }, signal, drawn) {
    const buckets = counts.map(() => new Map());
    const sums = new Map();
    const verdicts = [];
    for (const [from, to] of slices(counts)) {
      const asked = new URLSearchParams(parameters);
      const slice = {
        from: from === 0 ? range[0] : iso(first + from * width),
        to: to === counts.length ? range[1] : iso(first + to * width - 1),
      };
      setAll(asked, { by: named(this.field) ?? this.field, every: `${width}ms`, format: "json", ...slice });
      const each = group => {
        const bucket = buckets[Math.floor((Date.parse(group.time) - first) / width)];
        if (!("by" in group) || !bucket) return;
        const value = Object.values(group.by)[0] ?? null;
        add(bucket, value, group.count);
        add(sums, value, group.count);
      };
      verdicts.push(await objects("stats", asked, { signal, each }));
      drawn(this.parts(buckets, sums));
    }
    return verdicts;
  }

  parts(buckets, sums) {
    const values = [...sums].filter(([value]) => value !== null).sort((a, b) => b[1] - a[1]);
    this.names = [...values.slice(0, MOST_VALUES).map(([value]) => value), "others"];
    return buckets.map(bucket => {
      const parts = this.names.map(() => 0);
      for (const [value, count] of bucket) parts[this.placeOfValue(value)] += count;
      return parts;
    });
  }
}

const add = (sums, key, more) => sums.set(key, (sums.get(key) ?? 0) + more);

/** At most so many [from, to) of buckets, with about as many records in each. */
function slices(counts) {
  const share = counts.reduce((sum, count) => sum + count, 0) / MOST_SLICES;
  const found = [];
  let from = 0;
  let records = 0;
  counts.forEach((count, i) => {
    records += count;
    if (records >= share && records > 0) {
      found.push([from, i + 1]);
      from = i + 1;
      records = 0;
    }
  });
  return records ? [...found, [from, counts.length]] : found;
}

/** Counts by level read the records: of more than that only if they are asked for, or if the question reads them anyway. */
const MAX_BYTES_BY_LEVEL = 2e9;

/** What the histogram is split by where nothing is chosen. */
export async function usualSplit(parameters, signal) {
  if (parameters.has("q") || parameters.has("where")) return "level";
  const said = await headers("query", parameters, signal);
  return Number(said.get("cordwood-bytes-in-range")) > MAX_BYTES_BY_LEVEL ? "none" : "level";
}

/** The split of that name; null for none. */
export const splitBy = name => (!name || name === "none" ? null : name === "level" ? new LevelSplit() : new FieldSplit(name.replace(/^field:/, "")));
