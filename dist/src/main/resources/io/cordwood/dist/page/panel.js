// The panel beside the records: fields and shapes.

import { byId } from "./dom.js";
import * as storage from "./storage.js";

const KINDS = ["fields", "shapes"];
const WIDE_PIXELS = 900;

export class Panel {
  /** Open where it was open before, if there is room. */
  constructor(fields) {
    this.fields = fields;
    for (const kind of KINDS) {
      byId(`panel-${kind}`).addEventListener("click", () => {
        this.press(kind);
        fields.show(kind);
      });
    }
    byId("panel-open").addEventListener("click", () => this.toggle());
    byId("panel-close").addEventListener("click", () => this.open(false));
    this.open(storage.kept("panel") === "true" && innerWidth > WIDE_PIXELS);
  }

  open(isOpen) {
    byId("panel").hidden = !isOpen;
    byId("panel-content").hidden = !isOpen;
    byId("panel-open").setAttribute("aria-pressed", String(isOpen));
    storage.keep("panel", String(isOpen));
    this.fields.look();
  }

  toggle() {
    this.open(byId("panel").hidden);
  }

  /** Counts all that matches by a field. */
  count(name) {
    this.open(true);
    this.press("fields");
    this.fields.count(name);
  }

  press(kind) {
    for (const each of KINDS) byId(`panel-${each}`).setAttribute("aria-pressed", String(each === kind));
  }
}
