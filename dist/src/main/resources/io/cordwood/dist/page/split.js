// How the bars of the histogram are split: by level, as the node counts them, or by the values of a field.

import { objects } from "./answer.js";
import { fieldsOf, levelOf, named } from "./parse.js";

/** As `/histogram?levels=true` gives them. */
const LEVELS = ["error", "warn", "info", "debug", "none"];

/** So many values are told apart, those of most records; the others are one. */
const MOST_VALUES = 5;

/** By level. Each bucket has a number for each. */
class LevelSplit {
  names = LEVELS;
  classes = LEVELS.map(name => `of-${name}`);

  /** Adds to what the histogram is asked for. */
  addTo(parameters) {
    parameters.set("levels", "true");
  }

  placeOf(text) {
    const at = LEVELS.indexOf(levelOf(text));
    return at < 0 ? LEVELS.length - 1 : at;
  }

  /** The histogram has it all. */
  async ask() {
    return null;
  }
}

/** By a field, which is asked for once it is known where buckets begin. */
class FieldSplit {
  names = [];

  constructor(field) {
    this.field = field;
  }

  get classes() {
    return this.names.map((_, i) => (i < this.names.length - 1 ? `of-${i}` : "of-none"));
  }

  addTo() {}

  placeOf(text) {
    const value = fieldsOf(text).fields.find(([name]) => name === this.field)?.[1];
    const at = this.names.indexOf(value);
    return at < 0 ? this.names.length - 1 : at;
  }

  /** Numbers for each bucket and value: { parts, verdict }. */
  async ask(parameters, { first, width, size }, signal) {
    const groups = [];
    const asked = new URLSearchParams(parameters);
    for (const [key, value] of Object.entries({ by: named(this.field) ?? this.field, every: `${width}ms`, format: "json" })) asked.set(key, value);
    const verdict = await objects("/stats", asked, { signal, each: group => "by" in group && groups.push(group) });
    const valueOf = group => Object.values(group.by)[0];
    const sums = new Map();
    for (const group of groups) sums.set(valueOf(group), (sums.get(valueOf(group)) ?? 0) + group.count);
    sums.delete(null);
    sums.delete(undefined);
    this.names = [...[...sums].sort((a, b) => b[1] - a[1]).slice(0, MOST_VALUES).map(([value]) => value), "others"];
    const parts = Array.from({ length: size }, () => this.names.map(() => 0));
    for (const group of groups) {
      const bucket = Math.floor((Date.parse(group.time) - first) / width);
      const at = this.names.slice(0, -1).indexOf(valueOf(group));
      if (parts[bucket]) parts[bucket][at < 0 ? this.names.length - 1 : at] += group.count;
    }
    return { parts, verdict };
  }
}

/** The split that the query names; null for none. */
export const splitBy = name => (!name ? null : name === "level" ? new LevelSplit() : new FieldSplit(name.replace(/^field:/, "")));
