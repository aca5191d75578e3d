// The heads of the columns, above the rows: by these they are moved, widened and taken away.

import { within } from "./columns.js";
import { button, byId, h, menu } from "./dom.js";
import { harmless } from "./line.js";

const STEP_CHARS = 6;

export class Heads {
  /** @param choose takes other columns */
  constructor(place, choose) {
    Object.assign(this, { place, choose, columns: [] });
  }

  show({ columns, topics, delta }) {
    this.columns = columns;
    this.place.hidden = !columns.length;
    byId("found").classList.toggle("with-heads", columns.length > 0);
    if (!columns.length) return this.place.replaceChildren();
    this.place.replaceChildren(h("div", { class: "row" },
      h("span", { class: "meta" },
        h("time", {}), delta && h("span", { class: "delta" }), h("span", { class: "level" }), topics && h("span", { class: "topic" }),
        ...columns.map((column, at) => this.head(column, at))),
      h("span", { class: "text" })));
  }

  head({ name, width }, at) {
    const grip = h("span", { class: "grip", "aria-hidden": "true", on: { pointerdown: event => this.drag(event, at) } });
    const opener = button(harmless(name), () => menu(opener, this.entries(at)), { title: harmless(name), "aria-haspopup": "menu", "aria-expanded": "false" });
    return h("span", { class: "cell head", style: { flexBasis: `${width}ch` } }, opener, grip);
  }

  entries(at) {
    const { columns } = this;
    const moved = by => columns.with(at, columns[at + by]).with(at + by, columns[at]);
    return [
      at > 0 && ["Move left", () => this.choose(moved(-1))],
      at < columns.length - 1 && ["Move right", () => this.choose(moved(1))],
      ["Wider", () => this.widen(at, columns[at].width + STEP_CHARS)],
      ["Narrower", () => this.widen(at, columns[at].width - STEP_CHARS)],
      ["Take away", () => this.choose(columns.toSpliced(at, 1))],
    ].filter(Boolean);
  }

  widen(at, width) {
    this.choose(this.columns.with(at, { ...this.columns[at], width: within(width) }));
  }

  /** The rows follow when the pointer is let go. */
  drag(event, at) {
    const cell = event.target.parentElement;
    const [x, pixels] = [event.clientX, cell.offsetWidth];
    const charPixels = pixels / this.columns[at].width;
    let { width } = this.columns[at];
    const move = e => {
      width = within((pixels + e.clientX - x) / charPixels);
      cell.style.flexBasis = `${width}ch`;
    };
    const dragged = new AbortController();
    const end = () => {
      dragged.abort();
      this.widen(at, width);
    };
    addEventListener("pointermove", move, dragged);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, dragged);
    event.preventDefault();
  }
}
