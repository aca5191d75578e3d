// The keyboard: what each key does, and the page that says so.

import { button, h } from "./dom.js";

/** Keys that work wherever nothing is typed; the last column is for people. */
export const KEYS = [
  ["/", "ask", "Go to the search box"],
  ["j", "down", "Next record"],
  ["k", "up", "Previous record"],
  ["Enter", "open", "Open or close the record"],
  ["c", "context", "What the same sender has sent around it"],
  ["e", "error", "Next error"],
  ["E", "errorBefore", "Previous error"],
  ["g", "first", "Oldest record on the page"],
  ["G", "last", "Newest record on the page"],
  ["t", "live", "Live, on or off"],
  ["p", "pause", "Pause a tail, or let it go on"],
  ["-", "out", "A wider range of time"],
  ["r", "raw", "Records as they are written, or their message first"],
  ["n", "order", "Newest record first, or last"],
  ["w", "wrap", "Long rows on several lines, or on one"],
  ["d", "delta", "The time since the row before"],
  ["l", "log", "A logarithmic histogram"],
  ["f", "fields", "Fields and shapes"],
  ["s", "side", "Topics, labels and pinned searches"],
  ["y", "link", "Copy a link to the record"],
  ["z", "zone", "Times in UTC, or in your zone"],
  ["?", "help", "This page"],
  ["Escape", "escape", "Close what is open; stop the search"],
];

/** Calls what a key stands for. */
export function listen(does) {
  addEventListener("keydown", event => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const typing = event.target.closest?.("input, textarea, select");
    const acting = event.target.closest?.("button, a, summary");
    const key = KEYS.find(([name]) => name === event.key) ?? { ArrowDown: [0, "down"], ArrowUp: [0, "up"] }[event.key];
    if (!key || (typing && event.key !== "Escape") || (acting && event.key === "Enter")) return;
    event.preventDefault();
    does[key[1]](event);
  });
}

export function fillHelp(dialog) {
  const close = button("Close", () => dialog.close(), { class: "main" });
  dialog.append(
    h("h2", { id: "help-title" }, "Keys"),
    h("dl", { class: "keys" }, ...KEYS.flatMap(([key, , what]) => [h("dt", {}, h("kbd", {}, key === "Escape" ? "Esc" : key)), h("dd", {}, what)])),
    h("h2", {}, "Searching"),
    h("p", {}, "All texts that are typed have to be in a record, in any order; a phrase is put in quotes. ", h("b", {}, "\" \""), " takes all as one text, as it stands, ", h("b", {}, ".*"), " as a regular expression, ", h("b", {}, "Aa"), " ignores case, ",
      h("b", {}, "W"), " wants whole words, ", h("b", {}, "\u00ac"), " turns it around. A command line of ", h("code", {}, "cordwood grep"), " may be pasted. "
      + "Select a word in a record to look for records with it, or without it. Drag over the histogram to zoom, click to go there."),
    h("p", {}, "The address of this page is the question: who gets it sees the same."),
    close);
}
