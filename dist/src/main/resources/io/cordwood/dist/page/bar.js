import { button, h } from "./dom.js";

/** A value with its number, a bar of its share, and what it can be used for. */
export function bar(text, number, share, { only, not, disabled = false }, { isLong = false, beside = null } = {}) {
  return h("div", { class: isLong ? "value long" : "value" },
    h("div", { class: "share", style: { width: `${Math.max(1, share * 100).toFixed(1)}%` } }),
    button(text, only, { class: "pick", title: disabled ? text : `Only records with this: ${text}`, disabled }),
    beside,
    h("span", { class: "number" }, number.toLocaleString()),
    button("not", not, { class: "leave", title: "Not records with this", "aria-label": `Not records with ${text}`, disabled }));
}
