// Who sends to the node that is asked, and whom it rejects.

import * as answer from "./answer.js";
import { h } from "./dom.js";
import * as times from "./times.js";
import { size } from "./verdict.js";

const MOST = 50;
const HEAD = ["address", "to", "topic", "a second", "records", "bytes", "last", "rejected"];

/** The senders that a node knows; none if it takes no records. */
export async function senders(takesRecords) {
  if (!takesRecords) return [];
  return JSON.parse(await answer.text("cluster/senders", new URLSearchParams({ format: "json" }))).senders;
}

export function table(all) {
  if (!all.length) return [h("p", { class: "note" }, "Nobody has sent anything to this node since it was started.")];
  return [
    h("div", { class: "scroll" }, h("table", { class: "senders" },
      h("thead", {}, h("tr", {}, ...HEAD.map(name => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...all.slice(0, MOST).map(row)))),
    all.length > MOST && h("p", { class: "note" }, `${all.length - MOST} more are in /cluster/senders.`),
  ].filter(Boolean);
}

function row(sender) {
  const rejected = sender.refused
    ? h("span", { class: "state bad" }, `${sender.refused.toLocaleString()}: ${sender.refusal}`)
    : "";
  const cells = [
    sender.port,
    sender.topic,
    sender.records_per_second.toLocaleString(undefined, { maximumFractionDigits: 1 }),
    sender.records.toLocaleString(),
    size(sender.bytes),
    times.text(Date.parse(sender.last)),
    rejected,
  ];
  return h("tr", {}, h("th", { scope: "row" }, sender.address), ...cells.map(cell => h("td", {}, cell)));
}
