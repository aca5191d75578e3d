// A list of very many rows, of which only those that are seen are elements. Rows have one height but those that are open or wrapped.

import { h } from "./dom.js";

/** Beyond that browsers have no place for an element; more rows than that share it. */
const MAX_PIXELS = 6_000_000;
const AROUND = 6;
const SETTLE_MILLIS = 160;

/** The heights of so many wrapped rows are remembered; others count as one line until they are seen. */
const MAX_HEIGHTS = 2000;

export class List {
  /**
   * @param rows what is to be shown: `at`, `size`, `placeOf`
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
    this.heights = new Map(); // of wrapped rows, the same
    this.opened = []; // both in order: { index, extra }
    this.isNewestFirst = false;
    this.isWrapped = false;
    this.revealing = null; // what is brought into view once its height is known: { record, isMiddle }
    this.top = 0;
    this.physical = 0;
    this.height = 0;
    this.view = 0; // pixels that are seen, as they were when rows were last laid out: to ask the browser makes it lay out the page
    this.selected = null;
    this.moved = () => {};
    this.resized = new ResizeObserver(entries => this.measure(entries));
    scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    new ResizeObserver(() => this.layOut()).observe(scroller);
    this.rowPixels = parseFloat(getComputedStyle(scroller).getPropertyValue("--row")) || 20;
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

  /** Whether the place where new records come is seen. */
  get isAtNewest() {
    return this.isNewestFirst ? this.top <= 2 : this.isAtBottom;
  }

  /** The record at a place, counted from the top. */
  at(index) {
    if (index < 0 || index >= this.rows.size) return undefined;
    return this.rows.at(this.isNewestFirst ? this.rows.size - 1 - index : index);
  }

  placeOf(record) {
    const at = this.rows.placeOf(record);
    return Math.max(0, Math.min(this.rows.size - 1, this.isNewestFirst ? this.rows.size - 1 - at : at));
  }

  extraOf(record) {
    return this.extras.get(record) ?? this.heights.get(record) ?? 0;
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
    const anchor = this.at(index);
    const below = this.top - this.yOf(index);
    f();
    this.reopen();
    if (anchor) this.top = this.yOf(this.placeOf(anchor)) + below;
    this.layOut();
  }

  /** Shows other rows from the newest one, or the oldest. */
  reset(atNewest) {
    this.elements.forEach(element => element.remove());
    this.elements.clear();
    this.extras.clear();
    this.heights.clear();
    this.resized.disconnect();
    this.selected = null;
    this.revealing = null;
    this.reopen();
    this.top = atNewest === this.isNewestFirst ? 0 : Infinity;
    this.layOut();
  }

  /** Makes all elements anew: rows look different now. */
  redraw() {
    this.change(() => {
      [...this.elements.keys()].forEach(record => this.drop(record));
      this.heights.clear();
    });
  }

  /** In which order rows are, and whether they have as many lines as they need. */
  arrange({ isNewestFirst, isWrapped }) {
    const isTurned = this.isNewestFirst !== isNewestFirst;
    Object.assign(this, { isNewestFirst, isWrapped });
    this.scroller.classList.toggle("wrap", isWrapped);
    if (isTurned) this.reopen();
    this.redraw();
    if (isTurned) this.toNewest();
  }

  toNewest() {
    this.top = this.isNewestFirst ? 0 : Infinity;
    this.layOut();
  }

  reopen() {
    const of = map => [...map].map(([record, extra]) => ({ index: this.placeOf(record), extra, record })).filter(({ index, record }) => {
      const isThere = this.at(index) === record;
      if (!isThere) map.delete(record);
      return isThere;
    });
    const isClosed = ({ record }) => !this.extras.has(record);
    this.opened = [...of(this.extras), ...of(this.heights).filter(isClosed)].sort((a, b) => a.index - b.index);
  }

  isOpen(record) {
    return this.extras.has(record);
  }

  /** Opens a record or closes it, which is in view then. */
  toggle(record) {
    const isOpening = !this.isOpen(record);
    this.change(() => {
      if (isOpening) this.extras.set(record, 0);
      else this.extras.delete(record);
      this.drop(record);
    });
    if (isOpening) this.reveal(record);
    this.bring(record);
    this.layOut();
  }

  /** Brings a record into view once its height is known; with its own part in the middle if it has others around it. */
  reveal(record, isMiddle = false) {
    this.revealing = { record, isMiddle };
  }

  /** Scrolls as little as is needed to see a record, from its begin. */
  bring(record) {
    const y = this.yOf(this.placeOf(record));
    const end = y + this.rowPixels + this.extraOf(record);
    if (y < this.top) this.top = y;
    else if (end > this.top + this.view) this.top = Math.min(y, end - this.view);
  }

  bringToMiddle(record) {
    const { from, height } = this.elements.get(record).ownPart();
    const above = Math.max(this.rowPixels, (this.view - height) / 2);
    this.top = this.yOf(this.placeOf(record)) + from - above;
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
    const { isAtBottom } = this;
    const isOther = entries.filter(({ target }) => target.isConnected && this.isOfOtherHeight(target)).length > 0;
    if (isOther) this.change(() => this.forgetFar());
    const { record, isMiddle } = this.revealing ?? {};
    const isMeasured = entries.some(({ target }) => target.record === record && target.isConnected);
    if (isMeasured) {
      if (isMiddle) this.bringToMiddle(record);
      else this.bring(record);
      this.revealing = null;
    } else if (isOther && this.isWrapped && isAtBottom) this.top = Infinity;
    else return;
    this.layOut();
  }

  isOfOtherHeight({ record, offsetHeight }) {
    const heights = this.extras.has(record) ? this.extras : this.heights;
    const extra = offsetHeight - this.rowPixels;
    if (heights === this.heights && !this.isWrapped) return false;
    const isOther = (heights.get(record) ?? 0) !== extra;
    if (isOther) heights.set(record, extra);
    return isOther;
  }

  /** Of too many wrapped rows, the half that is farther away. */
  forgetFar() {
    if (this.heights.size <= MAX_HEIGHTS) return;
    const here = this.indexAt(this.top);
    const far = record => Math.abs(this.placeOf(record) - here);
    [...this.heights.keys()].sort((a, b) => far(b) - far(a)).slice(0, MAX_HEIGHTS / 2).forEach(record => this.heights.delete(record));
  }

  scrolled() {
    const now = this.scroller.scrollTop;
    const by = now - this.physical;
    if (by === 0) return;
    this.revealing = null;
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
    this.view = this.scroller.clientHeight;
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
    const wanted = new Set();
    for (let index = first; index <= last; index++) wanted.add(this.at(index));
    for (const record of [...this.elements.keys()]) if (!wanted.has(record)) this.drop(record);
    let y = size ? this.yOf(first) : 0;
    for (let index = first; index <= last; index++) {
      const record = this.at(index);
      const element = this.elements.get(record) ?? this.add(record);
      element.style.top = `${y + offset}px`;
      element.setAttribute("aria-posinset", index + 1);
      element.setAttribute("aria-setsize", size);
      element.classList.toggle("selected", record === this.selected);
      y += this.rowPixels + this.extraOf(record);
    }
    this.moved();
  }

  add(record) {
    const open = this.extras.has(record);
    const element = this.make(record, open);
    element.record = record;
    this.elements.set(record, element);
    this.scroller.append(element);
    if (open || this.isWrapped) this.resized.observe(element);
    return element;
  }

  /** The first record that is seen. */
  get firstSeen() {
    return this.at(this.indexAt(this.top));
  }

  /** Chooses the record so many farther, and shows it. */
  step(by) {
    if (!this.rows.size) return;
    const at = this.selected ? this.placeOf(this.selected) : by > 0 ? this.indexAt(this.top) - 1 : this.indexAt(this.top + this.view);
    this.go(this.at(Math.max(0, Math.min(this.rows.size - 1, at + by))));
  }

  /** Chooses a record, which then has the keys. */
  go(record) {
    this.select(record);
    this.scroller.focus({ preventScroll: true });
  }

  select(record, { show = true } = {}) {
    this.selected = record;
    if (record && show) this.bring(record);
    this.layOut();
  }
}
