// Records counted by their fields, and by their shapes.

import { pause } from "./dom.js";
import { fieldsOf, isLevel, labelOf, shapeOf } from "./parse.js";

export const MAX_VALUES = 1000;
const FEW_VALUES = 20;
const MAX_VALUE_CHARS = 200;
const MAX_SHAPES = 5000;
const SLICE_MILLIS = 8;

/**
 * Counts records in slices, between which the page lives on.
 *
 * @param isWanted asked after each slice
 * @returns whether all were counted
 */
export async function countAll(count, records, isWanted) {
  let until = performance.now() + SLICE_MILLIS;
  for (const record of records) {
    count.add(record);
    if (performance.now() > until) {
      await pause();
      if (!isWanted()) return false;
      until = performance.now() + SLICE_MILLIS;
    }
  }
  return true;
}

/** What has become of a number: "new", "louder" if it has doubled, "quieter" if it has halved, or "". */
export const kindOfChange = (now, was) => (was === 0 ? "new" : now >= 2 * was ? "louder" : 2 * now <= was ? "quieter" : "");

export class FieldCount {
  fields = new Map();
  cut = 0;

  add(record) {
    const seen = new Set();
    if (record.parsed?.cut) this.cut++;
    for (const [name, value] of fieldsOf(record)) {
      let field = this.fields.get(name);
      if (!field) {
        if (this.fields.size >= MAX_VALUES) continue;
        this.fields.set(name, (field = new Field(name)));
      }
      field.add(value, record, !seen.has(name));
      seen.add(name);
    }
  }
}

class Field {
  records = 0;
  values = new Map();

  constructor(name) {
    this.name = name;
  }

  add(value, sample, isFirst) {
    if (isFirst) this.records++;
    const one = this.values.get(value);
    if (one) one.records++;
    else if (this.values.size < MAX_VALUES && value.length <= MAX_VALUE_CHARS) this.values.set(value, { records: 1, sample });
  }

  /** Labels say who it was, levels how bad it is; then what has few values; of ids and numbers each is another one. */
  get rank() {
    return labelOf(this.name) !== null ? 3 : isLevel(this.name) ? 2 : this.values.size <= FEW_VALUES && this.values.size <= this.records / 2 ? 1 : 0;
  }

  get distinct() {
    return this.values.size.toLocaleString();
  }

  top(many) {
    return [...this.values].sort((a, b) => b[1].records - a[1].records).slice(0, many);
  }
}

export class ShapeCount {
  shapes = new Map();
  records = 0;
  rest = 0;

  add(record) {
    this.records++;
    const { shape, constant } = shapeOf(record);
    const one = this.shapes.get(shape);
    if (one) one.records++;
    else if (this.shapes.size < MAX_SHAPES) this.shapes.set(shape, { shape, constant, records: 1 });
    else this.rest++;
  }
}
