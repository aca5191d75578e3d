// A list of very many rows, of which only those that are seen are elements. Rows have one height but those that are open.

import { h } from "./dom.js";

/** Beyond that browsers have no place for an element; more rows than that share it. */
const MAX_PIXELS = 6_000_000;
const AROUND = 6;
const SETTLE_MILLIS = 160;

export class List {
  /**
   * @param rows what is to be shown: `all`, `size`, `placeOf`
   * @param make makes the element of a record, open or not
   */
  constructor(scroller, rows, make) {
    this.scroller = scroller;
    this.rows = rows;
    this.make = make;
    this.spacer = h("div", { class: "spacer" });
    scroller.append(this.spacer);
    this.elements = new Map();
    this.extras = new Map(); // of open records: pixels beyond a row's
    this.opened = []; // the same in order: { index, extra }
    this.top = 0;
    this.physical = 0;
    this.height = 0;
    this.selected = null;
    this.moved = () => {};
    this.resized = new ResizeObserver(entries => this.measure(entries));
    scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    new ResizeObserver(() => this.layOut()).observe(scroller);
    this.rowPixels = parseFloat(getComputedStyle(scroller).getPropertyValue("--row")) || 20;
  }

  get view() {
    return this.scroller.clientHeight;
  }

  /** The height that all rows have together. */
  get total() {
    return this.rows.size * this.rowPixels + this.opened.reduce((sum, o) => sum + o.extra, 0);
  }

  get isScaled() {
    return this.total > MAX_PIXELS;
  }

  get isAtBottom() {
    return this.top + this.view >= this.total - 2;
  }

  yOf(index) {
    let y = index * this.rowPixels;
    for (const open of this.opened) if (open.index < index) y += open.extra;
    return y;
  }

  indexAt(y) {
    let base = 0;
    for (const open of this.opened) {
      const start = open.index * this.rowPixels + base;
      if (y < start) break;
      if (y < start + this.rowPixels + open.extra) return open.index;
      base += open.extra;
    }
    return Math.max(0, Math.min(this.rows.size - 1, Math.floor((y - base) / this.rowPixels)));
  }

  /** Changes the rows, so that what is seen stays where it is. */
  change(f) {
    const index = this.indexAt(this.top);
    const anchor = this.rows.all[index];
    const below = this.top - this.yOf(index);
    f();
    this.reopen();
    if (anchor) this.top = this.yOf(Math.min(this.rows.placeOf(anchor), Math.max(0, this.rows.size - 1))) + below;
    this.layOut();
  }

  /** Shows other rows from their end, or their begin. */
  reset(atEnd) {
    this.elements.forEach(element => element.remove());
    this.elements.clear();
    this.extras.clear();
    this.resized.disconnect();
    this.selected = null;
    this.reopen();
    this.top = atEnd ? Infinity : 0;
    this.layOut();
  }

  /** Makes all elements anew: rows look different now. */
  redraw() {
    this.elements.forEach(element => element.remove());
    this.elements.clear();
    this.layOut();
  }

  toBottom() {
    this.top = Infinity;
    this.layOut();
  }

  toTop() {
    this.top = 0;
    this.layOut();
  }

  reopen() {
    this.opened = [...this.extras]
      .map(([record, extra]) => ({ index: this.rows.placeOf(record), extra, record }))
      .filter(open => {
        const there = this.rows.all[open.index] === open.record;
        if (!there) this.extras.delete(open.record);
        return there;
      })
      .sort((a, b) => a.index - b.index);
  }

  isOpen(record) {
    return this.extras.has(record);
  }

  toggle(record) {
    this.change(() => {
      if (!this.extras.delete(record)) this.extras.set(record, 0);
      this.drop(record);
    });
  }

  drop(record) {
    const element = this.elements.get(record);
    if (element) {
      this.resized.unobserve(element);
      element.remove();
      this.elements.delete(record);
    }
  }

  measure(entries) {
    let changed = false;
    for (const { target } of entries) {
      const extra = target.offsetHeight - this.rowPixels;
      if (this.extras.has(target.record) && target.isConnected && this.extras.get(target.record) !== extra) {
        this.extras.set(target.record, extra);
        changed = true;
      }
    }
    if (changed) this.change(() => {});
  }

  scrolled() {
    const now = this.scroller.scrollTop;
    const by = now - this.physical;
    if (by === 0) return;
    this.physical = now;
    if (!this.isScaled) this.top = now;
    else if (Math.abs(by) < 2 * this.view) this.top += by;
    else this.top = (now / (this.height - this.view)) * (this.total - this.view);
    this.draw();
    clearTimeout(this.settling);
    if (this.isScaled) this.settling = setTimeout(() => this.settle(), SETTLE_MILLIS);
  }

  /** A scroll whose event has not come yet goes first: it would be undone. */
  settle() {
    if (this.scroller.scrollTop === this.physical) this.layOut();
    else this.scrolled();
  }

  /** Brings the scroll bar to where it belongs. */
  layOut() {
    this.height = Math.min(this.total, MAX_PIXELS);
    this.spacer.style.height = `${this.height}px`;
    this.top = Math.max(0, Math.min(this.top, this.total - this.view));
    const wanted = this.isScaled ? (this.top / (this.total - this.view)) * (this.height - this.view) : this.top;
    if (Math.abs(this.scroller.scrollTop - wanted) >= 1 || !this.isScaled) this.scroller.scrollTop = wanted;
    this.physical = this.scroller.scrollTop;
    this.draw();
  }

  draw() {
    this.top = Math.max(0, Math.min(this.top, Math.max(0, this.total - this.view)));
    const offset = this.physical - this.top;
    const size = this.rows.size;
    const first = size ? Math.max(0, this.indexAt(this.top) - AROUND) : 0;
    const last = size ? Math.min(size - 1, this.indexAt(this.top + this.view) + AROUND) : -1;
    const wanted = new Set(this.rows.all.slice(first, last + 1));
    for (const record of [...this.elements.keys()]) if (!wanted.has(record)) this.drop(record);
    let y = size ? this.yOf(first) : 0;
    for (let index = first; index <= last; index++) {
      const record = this.rows.all[index];
      const element = this.elements.get(record) ?? this.add(record);
      element.style.top = `${y + offset}px`;
      element.setAttribute("aria-posinset", index + 1);
      element.setAttribute("aria-setsize", size);
      element.classList.toggle("selected", record === this.selected);
      y += this.rowPixels + (this.extras.get(record) ?? 0);
    }
    this.moved();
  }

  add(record) {
    const open = this.extras.has(record);
    const element = this.make(record, open);
    element.record = record;
    this.elements.set(record, element);
    this.scroller.append(element);
    if (open) this.resized.observe(element);
    return element;
  }

  /** The first record that is seen. */
  get firstSeen() {
    return this.rows.all[this.indexAt(this.top)];
  }

  /** Chooses the record so many farther, and shows it. */
  step(by) {
    if (!this.rows.size) return;
    const at = this.selected ? this.rows.placeOf(this.selected) : by > 0 ? this.indexAt(this.top) - 1 : this.indexAt(this.top + this.view);
    this.select(this.rows.all[Math.max(0, Math.min(this.rows.size - 1, at + by))]);
    this.scroller.focus({ preventScroll: true });
  }

  select(record, { show = true } = {}) {
    this.selected = record;
    if (record && show) {
      const y = this.yOf(this.rows.placeOf(record));
      const end = y + this.rowPixels + (this.extras.get(record) ?? 0);
      if (y < this.top) this.top = y;
      else if (end > this.top + this.view) this.top = Math.min(y, end - this.view);
    }
    this.layOut();
  }
}
