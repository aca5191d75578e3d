// Searches that are pinned: kept in this browser, and as a file for others.

import { button, h, keep as keepFile, say } from "./dom.js";
import { inWords } from "./history.js";
import { harmless } from "./line.js";
import { ofAddress, toAddress } from "./question.js";
import { keep, kept } from "./storage.js";

const NAME = "pins";
const MOST = 100;
const MAX_CHARS = 8000;

const isPin = pin => typeof pin?.name === "string" && typeof pin.address === "string" && pin.address.startsWith("?") && pin.address.length <= MAX_CHARS;

/** Those of a text in JSON; null if it is none. */
function read(text) {
  try {
    const list = JSON.parse(text);
    return Array.isArray(list) && list.every(isPin) ? list.slice(0, MOST).map(({ name, address }) => ({ name: name.slice(0, 200), address })) : null;
  } catch {
    return null;
  }
}

const all = () => read(kept(NAME) ?? "[]") ?? [];

/** Of a query the place among records, and the view, are not pinned. */
const addressOf = question => toAddress({ ...question, at: "", view: "records" });

/** The name of a search that is pinned; empty if it is not. */
export const pinnedName = question => all().find(pin => pin.address === addressOf(question))?.name ?? "";

export class Pins {
  /**
   * @param does `question()` that is asked, and `ask(another)`
   */
  constructor(does) {
    this.does = does;
    this.list = h("div", {});
    this.pin = button("", () => this.toggle());
    this.file = h("input", { type: "file", accept: ".json,application/json", class: "offscreen", tabindex: -1, "aria-label": "A file of pinned searches", on: { change: () => this.take() } });
    this.element = h("section", { "aria-label": "Pinned searches" }, h("h2", {}, "Pinned"), this.list,
      h("div", { class: "acts-of-pins" }, this.pin,
        button("Export", () => keepFile("cordwood-searches.json", "application/json", [`${JSON.stringify(all(), null, 1)}\n`])),
        button("Import", () => this.file.click()), this.file));
  }

  draw() {
    const now = addressOf(this.does.question());
    const pins = all();
    const isPinned = pins.some(pin => pin.address === now);
    this.pin.textContent = isPinned ? "Unpin this search" : "Pin this search";
    this.pin.disabled = !now.startsWith("?");
    this.list.replaceChildren(...pins.map(pin => h("div", { class: "value" },
      button(harmless(pin.name), () => this.does.ask(ofAddress(pin.address)), { class: "pick", title: pin.name, "aria-pressed": String(pin.address === now) }),
      button("\u00d7", () => this.change(pins.filter(other => other !== pin)), { class: "leave", "aria-label": `Unpin ${pin.name}` }))));
  }

  change(pins) {
    keep(NAME, JSON.stringify(pins));
    this.draw();
    this.does.renamed();
  }

  toggle() {
    const question = this.does.question();
    const address = addressOf(question);
    const others = all().filter(pin => pin.address !== address);
    if (others.length < all().length) this.change(others);
    else if (others.length >= MOST) say(`At most ${MOST} searches can be pinned`);
    else this.change([...others, { name: inWords(question), address }]);
  }

  async take() {
    const [file] = this.file.files;
    this.file.value = "";
    const taken = file && read(await file.text());
    if (!taken) return file && say("Expected a file of pinned searches, as Export writes it, found another one");
    const others = all().filter(pin => !taken.some(other => other.address === pin.address));
    this.change([...others, ...taken].slice(0, MOST));
    return say(`${taken.length === 1 ? "1 search is" : `${taken.length} searches are`} pinned from the file${others.length + taken.length > MOST ? `; at most ${MOST} in all` : ""}`);
  }
}
