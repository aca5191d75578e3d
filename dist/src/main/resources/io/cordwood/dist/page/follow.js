// What a tail brings comes to the page, if nothing that the reader looks at moves by it.

import { byId, later } from "./dom.js";
import { Tail } from "./tail.js";
import * as times from "./times.js";
import { newsInTitle } from "./title.js";
import { firstOf } from "./ulid.js";

/** So long after the pointer has moved over records nothing moves below it. */
const STILL_MILLIS = 1500;

export class Follow {
  /**
   * @param page `rows`, `list`, `feed`, `histogram`, and `changed()` and `tell()` for what has changed
   */
  constructor(page) {
    Object.assign(this, page);
    this.pointerMillis = 0;
    this.tail = new Tail({ come: () => this.letIn(), changed: this.tell });
    this.letInSoon = later(300, () => this.letIn());
    byId("pill").addEventListener("click", () => this.takeAll());
    byId("list").addEventListener("pointermove", () => (this.pointerMillis = performance.now()));
  }

  start(question) {
    const from = question.from ? times.moment(question.from) : null;
    this.tail.start(question, this.feed.last ?? (from === null ? null : firstOf(from)));
  }

  stop() {
    this.tail.stop();
    this.pill();
  }

  pause() {
    this.tail.paused = !this.tail.paused;
    this.letIn();
    this.tell();
  }

  /** Takes what a tail has brought, if nothing that the reader looks at moves by it. */
  letIn() {
    const { rows, list, tail } = this;
    if (!tail.waiting.length) return;
    const mayMove = rows.size === 0 || (list.isAtNewest && !tail.paused && !this.isLookedAt());
    if (mayMove) this.takeAll();
    else this.letInIfStill();
    this.pill();
  }

  letInIfStill() {
    if (this.tail.waiting.length && this.list.isAtNewest && !this.tail.paused) this.letInSoon();
  }

  isLookedAt() {
    const selection = getSelection();
    const isSelecting = !selection.isCollapsed && byId("list").contains(selection.anchorNode);
    return isSelecting || this.list.extras.size > 0 || performance.now() - this.pointerMillis < STILL_MILLIS;
  }

  takeAll() {
    const added = this.feed.follow(this.tail.drain());
    added.forEach(record => this.histogram.add(record));
    this.list.toNewest();
    this.pill();
    this.changed();
  }

  pill() {
    const many = this.tail.waiting.length;
    byId("pill").hidden = many === 0;
    newsInTitle(many);
    byId("pill").textContent = `${this.list.isNewestFirst ? "\u2191" : "\u2193"} ${many.toLocaleString()} new`;
  }
}
