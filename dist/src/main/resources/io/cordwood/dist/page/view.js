// A view in the place of the records, asked for again and again while it is seen.

import { h } from "./dom.js";

const REFRESH_MILLIS = 5000;

export class View {
  /**
   * @param load gives the elements that are shown
   */
  constructor(place, load) {
    Object.assign(this, { place, load, timer: 0 });
  }

  show() {
    this.place.hidden = false;
    if (!this.place.hasChildNodes()) this.draw([h("p", { class: "note" }, "Asking the node \u2026")]);
    this.refresh();
  }

  hide() {
    this.place.hidden = true;
    clearTimeout(this.timer);
  }

  async refresh() {
    clearTimeout(this.timer);
    try {
      this.draw(await this.load());
    } catch (e) {
      this.draw([h("p", { class: "trouble bad", role: "alert" }, e.message)]);
    }
    if (!this.place.hidden) this.timer = setTimeout(() => (document.hidden ? this.wait() : this.refresh()), REFRESH_MILLIS);
  }

  wait() {
    document.addEventListener("visibilitychange", () => !this.place.hidden && this.refresh(), { once: true });
  }

  /** What had the keyboard has it again. */
  draw(elements) {
    const reached = () => [...this.place.querySelectorAll("a, button, summary")];
    const focused = reached().indexOf(document.activeElement);
    const scrolled = this.place.scrollTop;
    this.place.replaceChildren(...elements);
    this.place.scrollTop = scrolled;
    if (focused >= 0) reached()[focused]?.focus({ preventScroll: true });
  }
}
