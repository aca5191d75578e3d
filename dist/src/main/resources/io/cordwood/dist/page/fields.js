// What the records on the page say: their fields with the values that are most frequent, and their shapes by number.

import { objects } from "./answer.js";
import { button, h, later } from "./dom.js";
import { harmless } from "./line.js";
import { conditionOf, fieldsOf, isLevel, literalOf, named, shapeOf } from "./parse.js";

/** Of so many of the newest records. */
export const MAX_LOOKED_AT = 20_000;
const MAX_VALUES = 1000;
const FEW_VALUES = 20;
const MAX_VALUE_CHARS = 200;
const MAX_SHAPES = 5000;
const SHOWN_FIELDS = 40;
const SHOWN_VALUES = 8;
const SHOWN_SHAPES = 60;
const SHOWN_GROUPS = 20;
const SLICE_MILLIS = 8;

export class Fields {
  /**
   * @param rows the page's records
   * @param does what choices do: `only`, `not`, `where`; `asked` gives what matches
   */
  constructor(place, rows, does) {
    Object.assign(this, { place, rows, does, kind: "fields", open: new Set(), run: 0, counted: null });
    this.changed = later(400, () => this.look());
  }

  show(kind) {
    this.kind = kind;
    this.look();
  }

  /** Counts all that matches by a field, on the nodes: not only what is on this page. */
  async count(name) {
    const own = (this.counted = { name, groups: [], note: "counting \u2026" });
    this.show("fields");
    try {
      const parameters = this.does.asked();
      for (const [key, value] of Object.entries({ by: named(name), top: SHOWN_GROUPS, format: "json" })) parameters.set(key, value);
      const verdict = await objects("/stats", parameters, { each: group => "by" in group && own.groups.push(group) });
      own.note = `${verdict.matches.toLocaleString()} records match${verdict.verdict === "complete" ? "" : "; some may be missing"}`;
    } catch (e) {
      own.note = e.message;
    }
    this.look();
  }

  /** What was counted last; its values narrow the search as the others do. */
  groups() {
    if (!this.counted || this.kind !== "fields") return [];
    const { name, groups, note } = this.counted;
    const all = groups.reduce((sum, group) => sum + group.count, 0);
    return [h("section", { class: "counted" },
      h("p", { class: "note" }, `All that match, by ${harmless(name)}: ${note} `,
        button("\u00d7", () => { this.counted = null; this.look(); }, { "aria-label": "Close the counts" })),
      ...groups.map(group => {
        const value = Object.values(group.by)[0] ?? null;
        const where = isNot => () => this.does.where(conditionOf(value, name, value, isNot) ?? "");
        return bar(value === null ? "(none)" : harmless(String(value)), group.count, group.count / all,
          { only: where(false), not: where(true), disabled: value === null });
      }))];
  }

  /** Looks through the records in slices, between which the page lives on. */
  async look() {
    if (this.place.hidden) return;
    const run = ++this.run;
    const records = this.rows.all.slice(-MAX_LOOKED_AT);
    const found = this.kind === "fields" ? new FieldCount() : new ShapeCount();
    let until = performance.now() + SLICE_MILLIS;
    for (const record of records) {
      found.add(record);
      if (performance.now() > until) {
        await new Promise(resolve => setTimeout(resolve));
        if (run !== this.run) return;
        until = performance.now() + SLICE_MILLIS;
      }
    }
    const of = `Of ${records.length < this.rows.size ? "the newest " : ""}${records.length.toLocaleString()} records on this page`;
    this.place.replaceChildren(...this.groups(), h("p", { class: "note" }, of), ...(this.kind === "fields" ? this.fields(found) : this.shapes(found)));
  }

  fields(count) {
    const all = [...count.fields.values()].sort((a, b) => b.rank - a.rank || b.records - a.records || (a.name < b.name ? -1 : 1));
    if (!all.length) return [h("p", { class: "empty" }, "These records have no fields: they are neither JSON nor logfmt. Shapes groups them all the same.")];
    return all.slice(0, SHOWN_FIELDS).map((field, i) => {
      const isOpen = this.open.has(field.name) || (i < 3 && !this.open.has(`-${field.name}`));
      const box = h("details", { open: isOpen, on: { toggle: () => this.remember(field.name, box.open) } },
        h("summary", {}, h("span", { class: "name" }, harmless(field.name)), h("span", { class: "number" }, `${field.distinct} ${field.values.size < MAX_VALUES ? "" : "+"}`.trim())),
        ...field.top(SHOWN_VALUES).map(([value, one]) => this.value(field, value, one)),
        named(field.name) && button("Count all that match", () => this.count(field.name), { class: "pick" }));
      return box;
    });
  }

  remember(name, isOpen) {
    this.open.delete(isOpen ? `-${name}` : name);
    this.open.add(isOpen ? name : `-${name}`);
  }

  value(field, value, { records, sample }) {
    const choose = isNot => () => {
      const condition = conditionOf(sample, field.name, value, isNot);
      if (condition) this.does.where(condition);
      else (isNot ? this.does.not : this.does.only)(literalOf(sample, field.name, value));
    };
    return bar(harmless(value) || "(empty)", records, records / field.records, {
      only: choose(false),
      not: choose(true),
    });
  }

  shapes(count) {
    const all = [...count.shapes.values()].sort((a, b) => b.records - a.records);
    const most = all.slice(0, SHOWN_SHAPES).map(shape =>
      bar(harmless(shape.shape) || "(empty)", shape.records, shape.records / count.records, {
        only: () => this.does.only(shape.constant),
        not: () => this.does.not(shape.constant),
        disabled: shape.constant.length < 3,
      }, true));
    const rest = all.slice(SHOWN_SHAPES).reduce((sum, shape) => sum + shape.records, count.rest);
    return [...most, ...(rest ? [h("p", { class: "note" }, `${rest.toLocaleString()} records have other shapes`)] : [])];
  }
}

/** A value with its number, a bar of its share, and what it can be used for. */
function bar(text, number, share, { only, not, disabled = false }, isLong = false) {
  return h("div", { class: isLong ? "value long" : "value" },
    h("div", { class: "share", style: { width: `${Math.max(1, share * 100).toFixed(1)}%` } }),
    button(text, only, { class: "pick", title: disabled ? text : `Only records with this: ${text}`, disabled }),
    h("span", { class: "number" }, number.toLocaleString()),
    button("not", not, { class: "leave", title: "Not records with this", "aria-label": `Not records with ${text}`, disabled }));
}

class FieldCount {
  fields = new Map();

  add({ text }) {
    const seen = new Set();
    for (const [name, value] of fieldsOf(text).fields) {
      let field = this.fields.get(name);
      if (!field) {
        if (this.fields.size >= MAX_VALUES) continue;
        this.fields.set(name, (field = new Field(name)));
      }
      field.add(value, text, !seen.has(name));
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

  /** Levels say most, then what has few values; of ids and numbers each is another one. */
  get rank() {
    return isLevel(this.name) ? 2 : this.values.size <= FEW_VALUES && this.values.size <= this.records / 2 ? 1 : 0;
  }

  get distinct() {
    return this.values.size.toLocaleString();
  }

  top(many) {
    return [...this.values].sort((a, b) => b[1].records - a[1].records).slice(0, many);
  }
}

class ShapeCount {
  shapes = new Map();
  records = 0;
  rest = 0;

  add({ text }) {
    this.records++;
    const { shape, constant } = shapeOf(text);
    const one = this.shapes.get(shape);
    if (one) one.records++;
    else if (this.shapes.size < MAX_SHAPES) this.shapes.set(shape, { shape, constant, records: 1 });
    else this.rest++;
  }
}
