// What the records on the page say: their fields with the values that are most frequent, and their shapes by number.

import { objects, setAll } from "./answer.js";
import { countAll, FieldCount, MAX_VALUES, ShapeCount } from "./counts.js";
import { button, h, later } from "./dom.js";
import { harmless } from "./line.js";
import { MAX_LOOKED_AT, shapes, Yesterday } from "./loud.js";
import { narrow } from "./narrow.js";
import { named } from "./parse.js";
import { bar } from "./bar.js";

const NO_FIELDS = "These records have no fields: they are neither JSON nor logfmt. Shapes groups them all the same.";
const NOT_KNOWN = "The node says no fields of these records, or of some of them: it is of an older version. Shapes groups them all the same.";
const SHOWN_FIELDS = 40;
const SHOWN_VALUES = 8;
const SHOWN_GROUPS = 20;
const MAX_NAME_CHARS = 80;

const cut = name => (name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}\u2026` : name);

export class Fields {
  /**
   * @param rows the page's records
   * @param does what choices do: `only`, `not`, `where`; `asked` gives what matches, `span` the time that is looked at,
   * `isColumn` and `column(name)`, which makes a field a column or takes it away, `lacking` why there are no records
   */
  constructor(place, rows, does) {
    Object.assign(this, { place, rows, does, kind: "fields", open: new Set(), run: 0, counted: null });
    this.changed = later(400, () => this.look());
    this.yesterday = new Yesterday(does, this.changed);
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
      setAll(parameters, { by: named(name), top: SHOWN_GROUPS, format: "json" });
      const verdict = await objects("stats", parameters, { each: group => "by" in group ? own.groups.push(group) : (own.others = group.others) });
      own.all = verdict.matches;
      own.note = [`${verdict.matches.toLocaleString()} records match`,
        own.others && `the node had no room for the values of ${own.others.toLocaleString()} of them`,
        verdict.verdict !== "complete" && "some may be missing"].filter(Boolean).join("; ");
    } catch (e) {
      own.note = e.message;
    }
    this.look();
  }

  /** What was counted last; its values narrow the search as the others do. */
  groups() {
    if (!this.counted || this.kind !== "fields") return [];
    const { name, groups, note, all } = this.counted;
    return [h("section", { class: "counted" },
      h("p", { class: "note" }, `All that match, by ${harmless(cut(name))}: ${note} `,
        button("\u00d7", () => { this.counted = null; this.look(); }, { "aria-label": "Close the counts" })),
      ...groups.map(group => {
        const value = Object.values(group.by)[0] ?? null;
        const where = isNot => () => narrow(this.does, null, name, value, isNot);
        return bar(value === null ? "(none)" : harmless(String(value)), group.count, all ? group.count / all : 0,
          { only: where(false), not: where(true), disabled: value === null });
      }))];
  }

  async look() {
    if (this.place.hidden) return;
    const run = ++this.run;
    const lacking = this.does.lacking();
    if (lacking) return this.place.replaceChildren(...this.groups(), h("p", { class: "empty", role: "status" }, lacking));
    const records = this.rows.newest(MAX_LOOKED_AT);
    const found = this.kind === "fields" ? new FieldCount() : new ShapeCount();
    if (!(await countAll(found, records, () => run === this.run))) return;
    const of = `Of ${records.length < this.rows.size ? "the newest " : ""}${records.length.toLocaleString()} ${records.length === 1 ? "record" : "records"} on this page`;
    this.place.replaceChildren(...this.groups(), h("p", { class: "note" }, of),
      ...(this.kind === "fields" ? this.fields(found, records.every(record => record.parsed)) : shapes(found, this.yesterday.of(...this.does.span(records)), this.does)));
  }

  fields(count, isKnown) {
    const all = [...count.fields.values()].sort((a, b) => b.rank - a.rank || b.records - a.records || (a.name < b.name ? -1 : 1));
    const notes = [!isKnown && NOT_KNOWN, count.cut && `Not all fields are known of ${count.cut.toLocaleString()} of them, which are long or have many`]
      .filter(Boolean).map(text => h("p", { class: "note" }, text));
    if (!all.length) return notes.length ? notes : [h("p", { class: "empty" }, NO_FIELDS)];
    return [...notes, ...all.slice(0, SHOWN_FIELDS).map((field, i) => {
      const isOpen = this.open.has(field.name) || (i < 3 && !this.open.has(`-${field.name}`));
      const box = h("details", { open: isOpen, on: { toggle: () => this.remember(field.name, box.open) } },
        h("summary", {}, h("span", { class: "name", title: harmless(field.name) }, harmless(cut(field.name))), h("span", { class: "number" }, `${field.distinct} ${field.values.size < MAX_VALUES ? "" : "+"}`.trim())),
        ...field.top(SHOWN_VALUES).map(([value, one]) => this.value(field, value, one)),
        named(field.name) && button("Count all that match", () => this.count(field.name), { class: "pick" }),
        !field.name.includes("[]") && button(this.does.isColumn(field.name) ? "Hide column" : "Column", () => this.does.column(field.name), { class: "pick" }));
      return box;
    })];
  }

  remember(name, isOpen) {
    this.open.delete(isOpen ? `-${name}` : name);
    this.open.add(isOpen ? name : `-${name}`);
  }

  value(field, value, { records, sample }) {
    const choose = isNot => () => narrow(this.does, sample, field.name, value, isNot);
    return bar(harmless(value) || "(empty)", records, records / field.records, {
      only: choose(false),
      not: choose(true),
    });
  }
}
