// What is loud: the shapes of records by number, beside those of the same time a day before.

import { records, setAll } from "./answer.js";
import { bar } from "./bar.js";
import { countAll, kindOfChange, ShapeCount } from "./counts.js";
import { h } from "./dom.js";
import { harmless } from "./line.js";
import * as times from "./times.js";

/** Of so many records: the newest on the page, and as many of the day before. */
export const MAX_LOOKED_AT = 20_000;
const SHOWN_SHAPES = 60;
const SHOWN_GONE = 5;

/** While records come in, the day before is not asked for more often. */
const AGAIN_MILLIS = 10_000;

export class Yesterday {
  /**
   * @param does `asked` gives what matches, and `kept` those of some records that the page does not leave out
   * @param changed called when the shapes are known
   */
  constructor(does, changed) {
    Object.assign(this, { does, changed, question: null, span: "", found: null, beganMillis: 0 });
  }

  /** The shapes of the same time a day before, as far as they are known: { count, note }. Null: there is no time. */
  of(from, to) {
    if (from === null) return null;
    const parameters = this.does.asked();
    const span = `${from} ${to}`;
    for (const end of ["from", "to"]) parameters.delete(end);
    const isOther = String(parameters) !== this.question;
    if (isOther || (span !== this.span && performance.now() - this.beganMillis > AGAIN_MILLIS)) {
      if (isOther) this.found = { count: null, note: "Asking for the same time yesterday \u2026" };
      Object.assign(this, { question: String(parameters), span, beganMillis: performance.now() });
      this.ask(parameters, times.dayBefore(from), times.dayBefore(to));
    }
    return this.found;
  }

  async ask(parameters, from, to) {
    const { span, question } = this;
    const isWanted = () => span === this.span && question === this.question;
    this.abort?.abort();
    this.abort = new AbortController();
    try {
      setAll(parameters, { from: times.iso(from), to: times.iso(to), limit: MAX_LOOKED_AT });
      const { found, verdict } = await records(parameters, { signal: this.abort.signal });
      const count = new ShapeCount();
      if (!(await countAll(count, this.does.kept(found), isWanted))) return;
      const many = `${count.records.toLocaleString()}${found.length === MAX_LOOKED_AT ? " or more" : ""}`;
      const note = `Yesterday, ${times.range(from, to)}: ${many} records`;
      this.found = { count, note: verdict.verdict === "complete" ? note : `${note}; some may be missing` };
    } catch (e) {
      if (e.name === "AbortError" || !isWanted()) return;
      this.found = { count: null, note: e.message };
    }
    this.changed();
  }
}

/**
 * Elements that show shapes by number.
 *
 * @param before of the day before, as `Yesterday` has them
 */
export function shapes(count, before, does) {
  const all = [...count.shapes.values()].sort((a, b) => b.records - a.records);
  const was = before?.count?.records ? before.count.shapes : null;
  const one = shape => bar(harmless(shape.shape) || "(empty)", shape.records, shape.records / Math.max(1, count.records), {
    only: () => does.only(shape.constant),
    not: () => does.not(shape.constant),
    disabled: shape.constant.length < 3,
  }, { isLong: true, beside: was && change(shape.records, was.get(shape.shape)?.records ?? 0) });
  const rest = all.slice(SHOWN_SHAPES).reduce((sum, shape) => sum + shape.records, count.rest);
  const gone = [...(was?.values() ?? [])].filter(shape => !count.shapes.has(shape.shape)).sort((a, b) => b.records - a.records);
  return [
    before && h("p", { class: "note", role: "status" }, before.note),
    ...all.slice(0, SHOWN_SHAPES).map(one),
    rest > 0 && h("p", { class: "note" }, `${rest.toLocaleString()} records have other shapes`),
    gone.length > 0 && h("p", { class: "note gone" }, `${gone.length.toLocaleString()} shapes of yesterday are not there:`),
    ...gone.slice(0, SHOWN_GONE).map(shape => one({ ...shape, records: 0 })),
  ].filter(Boolean);
}

function change(now, before) {
  return h("span", { class: `change ${kindOfChange(now, before)}`, title: `${now.toLocaleString()}, and ${before.toLocaleString()} at the same time yesterday` },
    before === 0 ? "new" : `was ${before.toLocaleString()}`);
}
