// The rules that this node watches: which fire, which cannot tell, and what went wrong with them.

import * as answer from "./answer.js";
import { byId, h } from "./dom.js";
import { harmless } from "./line.js";
import * as times from "./times.js";
import { View } from "./view.js";

/** While the view is not seen, the number of rules that fire is looked at as often. */
const LOOK_MILLIS = 60_000;

const WORDS = {
  firing: ["bad", "firing"],
  "cannot-tell": ["fair", "cannot tell"],
  pending: ["fair", "pending"],
  resolved: ["good", "resolved"],
  quiet: ["good", "quiet"],
  new: ["", "not counted yet"],
};

const HEAD = ["rule", "state", "records", "condition", "counted", "alerts", "last error"];

export function alertsView() {
  const view = new View(byId("alerts"), async () => elements(await look()));
  lookAgain();
  return view;
}

/** Says beside the view's name how many rules fire; a node without rules is asked no more. */
async function lookAgain() {
  const found = document.hidden ? { watches: true } : await look().catch(() => ({ watches: false }));
  if (found.watches) setTimeout(lookAgain, LOOK_MILLIS);
}

async function look() {
  const found = JSON.parse(await answer.text("alerts"));
  const firing = found.rules.filter(rule => rule.state === "firing").length;
  byId("view-alerts").textContent = firing ? `Alerts (${firing})` : "Alerts";
  return found;
}

function elements({ watches, trouble, rules }) {
  if (!watches) {
    return [h("p", { class: "note" }, "This node watches no rules. Start it with ", h("code", {}, "--rules FILE"), ", or run ", h("code", {}, "cordwood watch"), " beside it.")];
  }
  return [
    trouble && h("p", { class: "trouble bad", role: "alert" }, h("strong", {}, "The file of rules as it is now is not used. "), h("span", {}, harmless(trouble))),
    rules.length === 0 && h("p", { class: "note" }, "There is no rule that you may see: a token for some topics sees the rules of these alone."),
    rules.length > 0 && h("div", { class: "scroll" }, h("table", { class: "rules" },
      h("thead", {}, h("tr", {}, ...HEAD.map(name => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...[...rules].sort(byState).map(row)))),
  ].filter(Boolean);
}

const RANK = Object.keys(WORDS);
const byState = (a, b) => RANK.indexOf(a.state) - RANK.indexOf(b.state);

function row(rule) {
  const [kind, word] = WORDS[rule.state] ?? ["", rule.state];
  const name = rule.link ? h("a", { href: new URL(rule.link).search, title: "The records of the last window" }, rule.name) : rule.name;
  const failing = Object.entries(rule.failing).map(([target, why]) => `${target}: ${why}`);
  const error = failing.includes(rule.last_error?.text) ? null : rule.last_error;
  return h("tr", { class: `rule ${rule.state}` },
    h("th", { scope: "row" }, name, rule.topics.length > 0 && h("span", { class: "note" }, ` ${rule.topics.join(", ")}`)),
    h("td", {}, h("span", { class: `state ${kind}` }, word), rule.doubt && h("p", { class: "why" }, harmless(rule.doubt)), ...failing.map(why => h("p", { class: "why" }, harmless(why)))),
    h("td", { class: "n" }, rule.counted ? many(rule) : ""),
    h("td", {}, `${rule.condition} in ${rule.window}`),
    h("td", { class: "counted" }, rule.counted ? shown(rule.counted) : ""),
    h("td", {}, ...rule.alerts.map(alert)),
    h("td", {}, error ? h("p", { class: "why" }, harmless(`${shown(error.time)} ${error.text}`)) : ""));
}

const shown = time => times.textOfSecond(Date.parse(time));

const many = ({ records, at_least: isLeast }) => `${isLeast ? "\u2265 " : ""}${records.toLocaleString()}`;

function alert(alert) {
  const labels = Object.entries(alert.labels).map(([name, value]) => `${name}=${value}`).join(" ");
  const [kind, word] = WORDS[alert.state] ?? ["", alert.state];
  return h("p", { class: "alert" }, h("span", { class: `state ${kind}` }, word), ` ${harmless(labels)} ${many(alert)} since ${shown(alert.since)}`);
}
