// Whether what is shown is all that there is: a badge, and in words who is missing.

import { h } from "./dom.js";
import * as times from "./times.js";

/** One verdict of several answers to the same question. */
export function together(verdicts) {
  const given = verdicts.filter(Boolean);
  if (!given.length) return null;
  const missing = new Map(given.flatMap(v => v.missing ?? []).map(m => [`${m.tier} ${m.node}`, m]));
  const worst = given.find(v => v.verdict !== "complete") ?? given[0];
  return { ...worst, missing: [...missing.values()], missing_nodes: Math.max(...given.map(v => v.missing_nodes ?? 0)) };
}

/** What the badge says, in a word. */
export function word(verdict) {
  if (!verdict) return "";
  if (verdict.verdict === "complete") return verdict.missing_nodes ? "complete, with nodes missing" : "complete";
  return "may be incomplete";
}

/** The same in full, for the menu below the badge. */
export function explained(verdict) {
  const isComplete = verdict.verdict === "complete";
  const lines = [h("p", {}, isComplete
    ? "Every node that could hold more has answered: this is all that there is."
    : "What is shown is right, but records may be missing.")];
  for (const m of verdict.missing ?? []) {
    lines.push(h("p", {}, h("strong", {}, `${m.tier} ${m.node}`), `: ${ended(m.reason)} `, h("span", { class: "note" }, between(m.times))));
  }
  const unnamed = (verdict.missing_nodes ?? 0) - (verdict.missing?.length ?? 0);
  if (unnamed > 0) lines.push(h("p", {}, `and ${unnamed} more`));
  if (isComplete && verdict.missing_nodes) lines.push(h("p", {}, "What they hold is on others, too, which have answered."));
  if (verdict.doubt) lines.push(h("p", {}, ended(verdict.doubt)));
  if (verdict.stopped) lines.push(h("p", {}, `The search ended before its end (${verdict.stopped}); not searched: ${verdict.unsearched}.`));
  return h("div", { class: "explained", role: "status" }, ...lines);
}

/** As a sentence, which has one end. */
const ended = text => (/[.!?\u2026]$/.test(text) ? text : `${text}.`);

/** In the zone of the page; from the first or to now, where an end is left out. */
function between(span) {
  const [from, to] = span.split("/").map(end => (Number.isNaN(Date.parse(end)) ? "" : times.text(Date.parse(end))));
  if (!from && !to) return "At any time.";
  return from && to ? `Between ${from} and ${to}.` : from ? `Since ${from}.` : `Until ${to}.`;
}

const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"];

export function size(bytes) {
  let unit = 0;
  let number = bytes;
  while (number >= 1000 && unit < UNITS.length - 1) {
    number /= 1000;
    unit++;
  }
  return `${unit && number < 10 ? number.toFixed(1) : Math.round(number)} ${UNITS[unit]}`;
}

/** Before that a speed says little. */
const SPEED_MILLIS = 300;

/**
 * How far a search has come: [part of 1, text].
 *
 * @param counted the part of the range that the histogram has counted
 * @param millis since it began
 */
export function progressed({ nodes, bytes, bytes_done: done }, counted, millis) {
  const part = Math.min(1, Math.max(counted, bytes ? done / bytes : 0));
  const speed = millis >= SPEED_MILLIS ? `, ${size((part * bytes) / (millis / 1000))}/s` : "";
  return [part, `${Math.floor(part * 100)} % of ${size(bytes)} searched${speed}, ${nodes} ${nodes === 1 ? "node" : "nodes"}`];
}
