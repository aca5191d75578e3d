// The menus of what was asked before, of copies and of downloads.

import { byId, copy, h, keep, menu } from "./dom.js";
import { forget, inWords, past } from "./history.js";
import { harmless } from "./line.js";
import { absolute, addressOf, asked, commandLine, curl, leftOutHere, ofAddress, toAddress } from "./question.js";
import { iso } from "./times.js";
import { timeOf } from "./ulid.js";

/**
 * Makes them open.
 *
 * @param page `question()` that is asked, `ask(another)`, the `range()` that it has now, and its `rows`
 */
export function openMenus({ question, range, ask, rows }) {
  byId("history").addEventListener("click", () => {
    const asks = past().map(address => [inWords(ofAddress(address)), () => ask(ofAddress(address))]);
    menu(byId("history"), asks.length ? [...asks, ["Forget all", forget]] : [h("p", { class: "note" }, "Nothing was asked yet")]);
  });

  byId("copyas").addEventListener("click", () => menu(byId("copyas"), [
    ...notLeftOut(question(), "The commands also find records"),
    ["cordwood command", () => copy(commandLine(question())), commandLine(question())],
    ["curl", () => copy(curl(question())), curl(question())],
    ["link to this page", () => copy(addressOf(toAddress(absolute(question(), range()))))],
  ]));

  byId("download").addEventListener("click", () => {
    const all = format => {
      const parameters = asked(question());
      parameters.set("format", format);
      if (format === "text") parameters.set("verdict", "true");
      return h("a", { role: "menuitem", href: `query?${parameters}`, download: format === "json" ? "cordwood.ndjson" : "cordwood.log" },
        format === "json" ? "All that match, as JSON" : "All that match, as text");
    };
    menu(byId("download"), [
      ["What is on this page, as text", () => keep("cordwood-page.log", "text/plain", Array.from(rows, r => `${r.text}\n`))],
      ["What is on this page, as JSON", () => keep("cordwood-page.ndjson", "application/x-ndjson", Array.from(rows, asJson))],
      ...notLeftOut(question(), "All that match includes records"),
      all("text"),
      all("json"),
    ]);
  });
}

/** Tells of what only the page leaves out. */
function notLeftOut(asked, subject) {
  const here = leftOutHere(asked);
  return here.length ? [h("p", { class: "note" }, `${subject} that this page leaves out, with: ${here.map(harmless).join(", ").slice(0, 200)}`)] : [];
}

const asJson = ({ ulid, topic, text, bytes, labels }) =>
  `${JSON.stringify({ ulid, time: iso(timeOf(ulid)), topic, ...(labels ? { labels } : {}), record: text, ...(bytes === null ? {} : { record_base64: bytes }) })}\n`;
