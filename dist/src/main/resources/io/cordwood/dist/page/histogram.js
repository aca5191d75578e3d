// How many records match, over time: drawn while they are counted. Drag to zoom, click to jump.

import { AskError, objects } from "./answer.js";
import { h, svg } from "./dom.js";
import { harmless } from "./line.js";
import { splitBy } from "./split.js";
import { timeOf } from "./ulid.js";
import * as times from "./times.js";

const HEIGHT = 64;

/** Above the highest bar, for the legend. */
const TOP = 16;
const MOST_BUCKETS = 160;
const PIXELS_A_BUCKET = 7;

export class Histogram {
  /**
   * @param does what choices do: `zoom(from, to)`, `jump(millis)`; and `ranged` is told the range that is counted
   */
  constructor(place, does) {
    this.place = place;
    this.does = does;
    this.tip = h("div", { class: "tip", hidden: true });
    this.drawing = svg("svg", { class: "bars", height: HEIGHT + 16, "aria-hidden": "true" });
    this.legend = h("div", { class: "legend" });
    place.append(this.drawing, this.legend, this.tip);
    this.isLog = false;
    this.clear();
    place.addEventListener("pointerdown", e => this.press(e));
    place.addEventListener("pointermove", e => this.move(e));
    place.addEventListener("pointerup", e => this.release(e));
    place.addEventListener("pointercancel", () => this.leave());
    place.addEventListener("pointerleave", () => !this.drag && this.leave());
    place.addEventListener("keydown", e => this.key(e));
    new ResizeObserver(() => this.draw()).observe(place);
  }

  clear() {
    this.isStale = false;
    this.place.classList.remove("stale");
    Object.assign(this, { counts: [], parts: [], split: null, size: 0, width: 0, first: 0, range: null, cursor: null, drag: null, total: 0 });
    this.draw();
  }

  /** What is seen is of another question, until the first counts of this one come. */
  arrive() {
    if (this.isStale) this.clear();
  }

  /** Counts; returns the last objects of the answers. */
  async ask(parameters, signal, by) {
    this.isStale = true;
    this.place.classList.add("stale");
    try {
      return await this.count(parameters, signal, splitBy(by));
    } catch (e) {
      if (!signal.aborted) this.arrive();
      throw e;
    }
  }

  async count(parameters, signal, split) {
    const asked = new URLSearchParams(parameters);
    asked.set("format", "json");
    asked.set("buckets", Math.max(20, Math.min(MOST_BUCKETS, Math.floor(this.place.clientWidth / PIXELS_A_BUCKET))));
    split?.addTo(asked);
    const verdict = await objects("histogram", asked, {
      signal,
      head: headers => this.begin(headers, split),
      each: ({ count, counts }) => {
        this.counts.push(count);
        if (counts) this.parts.push(counts);
        this.total += count;
        this.drawSoon();
      },
    });
    if (this.size !== this.counts.length) throw new AskError("The node's answer has another number of counts than it said.");
    this.draw();
    const drawn = parts => {
      this.parts = parts;
      this.draw();
    };
    return [verdict, ...(split && this.size ? await split.ask(parameters, this, signal, drawn) : [])];
  }

  /** The part of the range that is counted. */
  get counted() {
    return this.size && !this.isStale ? this.counts.length / this.size : 0;
  }

  begin(headers, split) {
    this.clear();
    this.split = split;
    const said = name => Number(headers.get(`cordwood-${name}`) ?? 0);
    this.size = said("buckets");
    this.width = said("bucket-ms");
    this.first = said("first-bucket-ms");
    const range = headers.get("cordwood-range");
    if (range) this.does.ranged((this.range = range.split("/")));
    this.draw();
  }

  /** A tail goes on here: when the axis is too short for what comes, each bucket takes in its neighbour. */
  add(record) {
    const millis = timeOf(record.ulid);
    this.total++;
    if (!this.size) Object.assign(this, { width: 1000, first: Math.floor(millis / 1000) * 1000 });
    while (this.placeOf(millis) >= Math.max(this.size, MOST_BUCKETS)) this.halve();
    const at = this.placeOf(millis);
    if (at < 0) return;
    while (at >= this.counts.length) this.counts.push(0);
    this.size = Math.max(this.size, this.counts.length);
    this.counts[at]++;
    if (this.split?.names.length) {
      while (at >= this.parts.length) this.parts.push(this.split.names.map(() => 0));
      const part = this.split.placeOf(record);
      if (part >= 0) this.parts[at][part]++;
    }
    this.drawSoon();
  }

  placeOf(millis) {
    return Math.floor((millis - this.first) / this.width);
  }

  halve() {
    const pairs = Math.ceil(this.counts.length / 2);
    const { counts, parts } = this;
    this.counts = Array.from({ length: pairs }, (_, i) => counts[2 * i] + (counts[2 * i + 1] ?? 0));
    this.parts = Array.from({ length: Math.ceil(parts.length / 2) }, (_, i) => parts[2 * i].map((n, at) => n + (parts[2 * i + 1]?.[at] ?? 0)));
    this.size = pairs;
    this.width *= 2;
  }

  /** A burst among few: logarithmic, so that the few are seen beside it. */
  scale(isLog) {
    this.isLog = isLog;
    this.draw();
  }

  drawSoon() {
    this.soon ??= requestAnimationFrame(() => {
      this.soon = null;
      this.draw();
    });
  }

  bucketAt(x) {
    return Math.max(0, Math.min(this.size - 1, Math.floor((x / this.pixels) * this.size)));
  }

  timeOf(bucket) {
    return this.first + bucket * this.width;
  }

  draw() {
    const pixels = (this.pixels = Math.max(1, this.place.clientWidth));
    const { size } = this;
    this.drawing.setAttribute("width", pixels);
    this.drawing.setAttribute("viewBox", `0 0 ${pixels} ${HEIGHT + 16}`);
    this.drawing.replaceChildren();
    this.legend.replaceChildren();
    this.place.setAttribute("aria-label", this.spoken());
    if (!size) return;
    const most = Math.max(1, ...this.counts);
    const step = pixels / size;
    this.drawing.append(svg("line", { class: "base", x1: 0, x2: pixels, y1: HEIGHT + 0.5, y2: HEIGHT + 0.5 }));
    if (this.counts.length < size) {
      const x = this.counts.length * step;
      this.drawing.append(svg("rect", { class: "unknown", x, y: 0, width: pixels - x, height: HEIGHT }));
    }
    this.drawBars(most, step);
    this.drawAxis(most);
    this.drawChoice(step);
  }

  /** A path for all bars, and over it one for each part that they are split into. */
  drawBars(most, step) {
    const scaled = this.isLog ? count => Math.log1p(count) : count => count;
    const heights = this.counts.map(count => (count ? Math.max(2, (scaled(count) / scaled(most)) * (HEIGHT - TOP)) : 0));
    const bar = (i, from, to) => to - from < 0.05 ? ""
      : `M${(i * step).toFixed(1)} ${(HEIGHT - from).toFixed(1)}v-${(to - from).toFixed(1)}h${Math.max(1, step - 1).toFixed(1)}v${(to - from).toFixed(1)}z`;
    this.drawing.append(svg("path", { class: "bar", d: heights.map((height, i) => bar(i, 0, height)).join("") }));
    const { names = [], classes = [] } = this.split ?? {};
    const below = heights.map(() => 0);
    names.forEach((_, part) => {
      const d = heights.map((height, i) => {
        const share = this.counts[i] && this.parts[i] ? this.parts[i][part] / this.counts[i] : 0;
        const from = below[i];
        below[i] += share * height;
        return bar(i, from, below[i]);
      });
      this.drawing.append(svg("path", { class: classes[part], d: d.join("") }));
    });
    const isSeen = (_, part) => this.parts.some(parts => parts[part]);
    this.legend.replaceChildren(...names.map((name, part) => isSeen(name, part) && h("span", { class: classes[part] }, harmless(name).slice(0, 24) || "(empty)")).filter(Boolean));
  }

  drawAxis(most) {
    const end = this.timeOf(this.size);
    for (const [at, label] of times.ticks(this.first, end, Math.max(2, Math.floor(this.pixels / 90)))) {
      const x = ((at - this.first) / (end - this.first)) * this.pixels;
      if (x < 4 || x > this.pixels - 30) continue;
      this.drawing.append(
        svg("line", { class: "tick", x1: x, x2: x, y1: HEIGHT, y2: HEIGHT + 3 }),
        svg("text", { class: "label", x, y: HEIGHT + 13, "text-anchor": "middle" }, label));
    }
    if (this.total) this.drawing.append(svg("text", { class: "label", x: 2, y: 9 }, `${most.toLocaleString()}${this.isLog ? " (log)" : ""}`));
  }

  drawChoice(step) {
    if (this.cursor === null) return;
    const [a, b] = this.chosen();
    this.drawing.append(svg("rect", { class: this.drag ? "chosen" : "cursor", x: a * step, y: 0, width: (b - a + 1) * step, height: HEIGHT }));
  }

  chosen() {
    const other = this.drag?.bucket ?? this.cursor;
    return [Math.min(other, this.cursor), Math.max(other, this.cursor)];
  }

  at(event) {
    return event.clientX - this.place.getBoundingClientRect().left;
  }

  press(event) {
    if (!this.size || event.button !== 0) return;
    const x = this.at(event);
    this.place.setPointerCapture(event.pointerId);
    this.drag = { x, bucket: this.bucketAt(x), moved: false };
    this.cursor = this.drag.bucket;
    this.draw();
  }

  move(event) {
    if (!this.size) return;
    const x = this.at(event);
    this.cursor = this.bucketAt(x);
    if (this.drag && Math.abs(x - this.drag.x) > 4) this.drag.moved = true;
    this.draw();
    this.tell(x);
  }

  release(event) {
    if (!this.drag) return;
    this.cursor = this.bucketAt(this.at(event));
    const [a, b] = this.chosen();
    const { moved } = this.drag;
    this.drag = null;
    if (moved) this.does.zoom(this.timeOf(a), this.timeOf(b + 1) - 1);
    else this.does.jump(this.timeOf(a));
    this.leave();
  }

  leave() {
    this.drag = null;
    this.cursor = null;
    this.tip.hidden = true;
    this.draw();
  }

  tell(x) {
    const [a, b] = this.drag ? this.chosen() : [this.cursor, this.cursor];
    const count = this.counts.slice(a, b + 1).reduce((sum, n) => sum + n, 0);
    const known = this.counts.length > b;
    const parts = (this.split?.names ?? []).map((name, part) => [name, this.parts.slice(a, b + 1).reduce((sum, counts) => sum + counts[part], 0)]).filter(([, n]) => n);
    const said = [count.toLocaleString(), ...parts.map(([name, n]) => `${harmless(name).slice(0, 24)} ${n.toLocaleString()}`)].join(", ");
    this.tip.textContent = `${times.text(this.timeOf(a))} + ${times.span((b - a + 1) * this.width)}: ${known ? said : "not counted yet"}`;
    this.tip.hidden = false;
    this.tip.style.left = `${Math.max(0, Math.min(x + 12, this.pixels - this.tip.offsetWidth - 4))}px`;
  }

  /** Arrows move a cursor, with shift they choose a range; Enter jumps or zooms. */
  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by && this.size) {
      const before = this.cursor ?? this.size;
      this.cursor = Math.max(0, Math.min(this.size - 1, before + by));
      this.drag = event.shiftKey ? (this.drag ?? { bucket: Math.min(before, this.size - 1), moved: true }) : null;
      this.draw();
      this.tell((this.cursor / this.size) * this.pixels);
    } else if (event.key === "Enter" && this.cursor !== null) {
      const [a, b] = this.chosen();
      if (this.drag) this.does.zoom(this.timeOf(a), this.timeOf(b + 1) - 1);
      else this.does.jump(this.timeOf(a));
      this.leave();
    } else if (event.key === "Escape" && this.cursor !== null) this.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  spoken() {
    if (!this.size) return "Histogram: nothing counted";
    return `Histogram: ${this.total.toLocaleString()} records from ${times.text(this.first)} to ${times.text(this.timeOf(this.size))}. `
      + "Arrows choose a time, with Shift a range; Enter goes there.";
  }
}
