// The bar beside the records: pinned searches, topics and labels with their numbers beside those of the same time yesterday,
// and new shapes.

import { objects, records, setAll } from "./answer.js";
import { bar } from "./bar.js";
import { countAll, kindOfChange, ShapeCount } from "./counts.js";
import { button, byId, h, later } from "./dom.js";
import { ERRORS } from "./levels.js";
import { harmless } from "./line.js";
import { asField, conditionOf } from "./parse.js";
import { Pins } from "./pins.js";
import * as storage from "./storage.js";
import * as times from "./times.js";

/** Open without being asked where there is room for it and the records. */
const WIDE_PIXELS = 1300;
const PHONE_PIXELS = 700;
const SHOWN = 100;
const MAX_GROUPS = 2000;
const SHOWN_LABELS = 10;
const SHOWN_SHAPES = 20;
const MAX_LOOKED_AT = 5000;
const REFRESH_MILLIS = 60_000;

/** What takes longer is a lower bound. */
const TIME_LIMIT = "10s";

/** Of longer ranges the last day is counted, of all times the last hour. */
const LONGEST_MILLIS = 24 * 3_600_000;
const USUAL_MILLIS = 3_600_000;

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** From when to when is counted. */
function rangeOf(question) {
  const to = (question.to && times.moment(question.to)) || Date.now();
  const from = (question.from && times.moment(question.from)) || to - USUAL_MILLIS;
  return [Math.min(to, Math.max(from, to - LONGEST_MILLIS)), to];
}

/** { records, errors } by the values of a field; `isWhole` is whether that is all. */
async function count(by, [from, to], signal) {
  const parameters = new URLSearchParams({ by: `${by},level`, top: MAX_GROUPS, format: "json", from: times.iso(from), to: times.iso(to), time_limit: TIME_LIMIT });
  const values = new Map();
  let others = 0;
  const verdict = await objects("stats", parameters, { signal, each: group => {
    others += group.others ?? 0;
    const [value, level] = Object.values(group.by ?? {});
    if (value === undefined || value === null) return;
    const one = values.get(value) ?? { records: 0, errors: 0 };
    one.records += group.count;
    if (ERRORS.has(String(level).toLowerCase())) one.errors += group.count;
    values.set(value, one);
  } });
  return { values, isWhole: verdict.verdict === "complete" && !others };
}

/** The values of a field: numbers of now, and of the same time yesterday once these are there. */
class Values {
  constructor(by, { pick, isPicked }) {
    Object.assign(this, { by, pick, isPicked, filter: "", now: null, before: null });
    this.note = h("p", { class: "note", role: "status" });
    this.list = h("div", {});
    this.box = h("input", { type: "text", placeholder: "filter", "aria-label": `Filter ${by}`, hidden: true, on: { input: () => { this.filter = this.box.value.trim().toLowerCase(); this.draw(); } } });
    this.elements = [this.box, this.note, this.list];
  }

  async ask(range) {
    this.abort?.abort();
    const { signal } = (this.abort = new AbortController());
    if (!this.now) this.note.textContent = "searching \u2026";
    this.list.setAttribute("aria-busy", "true");
    try {
      this.now = await count(this.by, range, signal);
      this.range = range;
      this.draw();
      this.before = await count(this.by, range.map(times.dayBefore), signal);
      this.draw();
    } catch (e) {
      if (e.name === "AbortError") return;
      this.note.textContent = e.message;
    }
    this.list.removeAttribute("aria-busy");
  }

  draw() {
    if (!this.now) return;
    const was = this.before?.values.size ? this.before.values : null;
    const silent = [...(was?.keys() ?? [])].filter(value => !this.now.values.has(value)).map(value => [value, { records: 0, errors: 0 }]);
    const all = [...this.now.values, ...silent].sort(([a, x], [b, y]) => y.errors - x.errors || y.records - x.records || (a < b ? -1 : 1));
    const found = all.filter(([value]) => value.toLowerCase().includes(this.filter));
    this.box.hidden = all.length < 8;
    this.note.textContent = [times.range(...this.range),
      !this.now.isWhole && "at least these", !all.length && "no records", found.length > SHOWN && `${SHOWN} of ${found.length.toLocaleString()}`].filter(Boolean).join(" \u00b7 ");
    this.list.replaceChildren(...found.slice(0, SHOWN).map(([value, one]) => this.row(value, one, was && (was.get(value) ?? { records: 0, errors: 0 }))));
  }

  row(value, now, was) {
    const said = what => `${now[what].toLocaleString()} ${what}${was ? `, ${was[what].toLocaleString()} at the same time yesterday` : ""}`;
    const what = now.errors || was?.errors ? "errors" : "records";
    return h("div", { class: "value", title: `${said("records")}; ${said("errors")}` },
      button(harmless(value) || "(empty)", () => this.pick(value), { class: "pick", "aria-pressed": String(this.isPicked(value)), title: value }),
      now.errors > 0 && h("span", { class: "errors", title: said("errors") }, compact.format(now.errors)),
      h("span", { class: "number", title: said("records") }, compact.format(now.records)),
      was && change(now[what], was[what], said(what)));
  }
}

function change(now, was, said) {
  const kind = kindOfChange(now, was);
  const text = { new: now ? "new" : "", louder: `\u00d7${+(now / was).toPrecision(2)}`, quieter: now ? `\u00f7${+(was / now).toPrecision(2)}` : "silent" }[kind] ?? "";
  return h("span", { class: `change ${kind}`, title: said }, text);
}

export class Side {
  /**
   * @param does `question()` that is asked, `headStart()` after which counts may be asked for, too, `ask(another)`, `renamed()` hears that a pin has changed; `where`, `only`, `not`, `asked`, `kept`
   * and `span` as choices have them
   * @param rows the page's records
   */
  constructor(does, rows) {
    Object.assign(this, { does, rows, asked: "", askedMillis: 0, timer: 0, labels: [] });
    this.pins = new Pins(does);
    this.topics = new Values("topic", { pick: topic => does.ask({ ...does.question(), topic: does.question().topic === topic ? "" : topic, at: "" }), isPicked: topic => does.question().topic === topic });
    this.ofLabels = h("section", { "aria-label": "Labels" });
    this.shapes = h("div", {});
    this.shapesBox = h("details", { on: { toggle: () => this.lookAtShapes() } }, h("summary", {}, h("span", { class: "name" }, "New shapes")), this.shapes);
    byId("side-content").replaceChildren(this.pins.element, h("section", { "aria-label": "Topics" }, h("h2", {}, "Topics"), ...this.topics.elements), this.ofLabels, this.shapesBox);
    byId("side-open").addEventListener("click", () => this.toggle());
    byId("side-close").addEventListener("click", () => this.open(false));
    document.addEventListener("visibilitychange", () => this.look());
    this.changed = later(1000, () => this.lookAtShapes());
    const kept = storage.kept("side");
    this.open(innerWidth > PHONE_PIXELS && (kept === null ? innerWidth >= WIDE_PIXELS : kept === "true"), { isChosen: false });
  }

  get isOpen() {
    return !byId("side").hidden;
  }

  open(isOpen, { isChosen = true } = {}) {
    byId("side").hidden = !isOpen;
    byId("side-open").setAttribute("aria-pressed", String(isOpen));
    if (isChosen) storage.keep("side", String(isOpen));
    this.look();
  }

  toggle() {
    this.open(!this.isOpen);
  }

  /** Shows what belongs to the query, and counts again if it is of another time, or a minute is over. */
  look() {
    clearTimeout(this.timer);
    if (!this.isOpen || document.hidden) return;
    this.pins.draw();
    for (const values of [this.topics, ...this.labels]) values.draw();
    const { from, to, view } = this.does.question();
    const asked = JSON.stringify([from, to, times.isUtc()]);
    const now = performance.now();
    if (view === "records" && (asked !== this.asked || now - this.askedMillis >= REFRESH_MILLIS)) {
      Object.assign(this, { asked, askedMillis: now });
      this.count();
    }
    this.timer = setTimeout(() => this.look(), REFRESH_MILLIS);
  }

  async count() {
    const range = (this.range = rangeOf(this.does.question()));
    await null; // Whoever has made this asks for records next.
    await this.does.headStart();
    if (range !== this.range) return;
    await this.topics.ask(range);
    if (range !== this.range) return;
    const names = [];
    const parameters = new URLSearchParams({ format: "json", from: times.iso(range[0]), to: times.iso(range[1]), time_limit: TIME_LIMIT });
    await objects("labels", parameters, { each: ({ name, records: many }) => names.push([name, many]) }).catch(() => {});
    if (range === this.range) this.nameLabels(names.sort((a, b) => b[1] - a[1]).slice(0, SHOWN_LABELS).map(([name]) => name));
  }

  /** Values of a label are counted while they are seen. */
  nameLabels(names) {
    const kept = this.labels.filter(values => names.includes(values.name));
    this.labels = names.map(name => kept.find(values => values.name === name) ?? this.label(name));
    this.ofLabels.replaceChildren(...(names.length ? [h("h2", {}, "Labels"), ...this.labels.map(values => values.element)] : []));
    for (const values of this.labels) if (values.element.open) values.ask(this.range);
  }

  label(name) {
    const condition = value => conditionOf(null, asField(name), value, false);
    const values = new Values(asField(name), { pick: value => this.does.where(condition(value)), isPicked: value => this.does.question().where.split(" and ").includes(condition(value)) });
    values.name = name;
    values.element = h("details", { on: { toggle: () => values.element.open && values.ask(this.range) } },
      h("summary", {}, h("span", { class: "name" }, harmless(name))), ...values.elements);
    return values;
  }

  /** Shapes of the records on the page that none has of the time right before, as long. */
  async lookAtShapes() {
    const run = (this.run = {});
    const [from, to] = this.does.span(this.rows.newest(MAX_LOOKED_AT));
    if (!this.isOpen || !this.shapesBox.open || from === null) return;
    const isWanted = () => run === this.run;
    if (!this.shapes.firstChild) this.shapes.replaceChildren(h("p", { class: "note" }, "searching \u2026"));
    const parameters = this.does.asked();
    const length = Math.max(USUAL_MILLIS, to - from);
    setAll(parameters, { from: times.iso(from - length), to: times.iso(from - 1), last: MAX_LOOKED_AT, time_limit: TIME_LIMIT });
    try {
      const { found } = await records(parameters, {});
      const [now, before] = [new ShapeCount(), new ShapeCount()];
      if (await countAll(before, this.does.kept(found), isWanted) && await countAll(now, this.rows.newest(MAX_LOOKED_AT), isWanted)) this.drawShapes(now, before, times.range(from - length, from));
    } catch (e) {
      if (isWanted()) this.shapes.replaceChildren(h("p", { class: "note" }, e.message));
    }
  }

  drawShapes(now, before, when) {
    const fresh = [...now.shapes.values()].filter(shape => !before.shapes.has(shape.shape)).sort((a, b) => b.records - a.records);
    this.shapes.replaceChildren(
      h("p", { class: "note", role: "status" }, before.records
        ? `${fresh.length.toLocaleString()} shapes are in none of the ${before.records.toLocaleString()} records of the time before, ${when}`
        : `There are no records of the time before, ${when}`),
      ...(before.records ? fresh : []).slice(0, SHOWN_SHAPES).map(({ shape, constant, records: times }) => bar(harmless(shape) || "(empty)", times, times / now.records,
        { only: () => this.does.only(constant), not: () => this.does.not(constant), disabled: constant.length < 3 }, { isLong: true, beside: h("span", { class: "change new" }, "new") })));
  }
}
