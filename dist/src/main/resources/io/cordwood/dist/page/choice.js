// What a selected text in a record can be used for.

import { button, byId, copy, later } from "./dom.js";

/** Offers it. `does`: `only`, `not`. */
export function offerChoices(does) {
  document.addEventListener("selectionchange", later(150, () => {
    const selection = getSelection();
    const text = String(selection);
    const isChoice = !selection.isCollapsed && byId("list").contains(selection.anchorNode) && text.trim() && text.length <= 300 && !text.includes("\n");
    byId("choice").hidden = !isChoice;
    if (!isChoice) return;
    byId("choice").replaceChildren(
      button("Only with this", () => { selection.removeAllRanges(); does.only(text); }),
      button("Not with this", () => { selection.removeAllRanges(); does.not(text); }),
      button("Copy", () => copy(text)));
    const place = selection.getRangeAt(0).getBoundingClientRect();
    byId("choice").style.top = `${Math.max(4, place.top - byId("choice").offsetHeight - 6)}px`;
    byId("choice").style.left = `${Math.max(4, Math.min(place.left, innerWidth - byId("choice").offsetWidth - 4))}px`;
  }));
}
