// The form: a query is shown in it, and read from it.

import { ofCommandLine } from "./commandline.js";
import { button, byId, h, say } from "./dom.js";
import { harmless } from "./line.js";
import { pinnedName } from "./pins.js";
import { leftOutHere, toAddress, VIEWS } from "./question.js";
import { showSplit } from "./suggest.js";
import * as times from "./times.js";
import { nameTitle } from "./title.js";

export const FLAGS = ["regex", "ignoreCase", "word", "invert"];

/** Shows a query in the form. */
export function show(question, ask) {
  for (const name of ["q", "where", "topic"]) byId(name).value = question[name];
  for (const end of ["from", "to"]) byId(end).value = times.shown(question[end]);
  for (const flag of [...FLAGS, "literal"]) byId(flag).setAttribute("aria-pressed", String(question[flag]));
  byId("literal").disabled = question.regex;
  const preset = [...byId("range").options].some(option => option.value === question.from && option.value !== "custom");
  byId("range").value = !question.to && preset ? question.from : "custom";
  byId("custom").hidden = byId("range").value !== "custom";
  byId("out").hidden = !question.from && !question.to;
  chips(question, ask);
  if (question.split) showSplit(question.split);
  for (const view of VIEWS) byId(`view-${view}`).setAttribute("aria-pressed", String(view === question.view));
  const isOther = question.view !== "records";
  for (const id of ["ask", "records"]) byId(id).hidden = isOther;
  if (isOther) byId("chips").hidden = true;
  byId("zone").textContent = times.zone();
  nameTitle(isOther ? capital(question.view) : pinnedName(question) || question.q.slice(0, 60));
}

const capital = word => word.charAt(0).toUpperCase() + word.slice(1);

function chips(question, ask) {
  const here = leftOutHere(question);
  const chip = (name, text, word) => h("span", { class: `chip ${name}`, title: name === "not" && here.includes(text) ? "Left out on this page; the counts still have them" : text },
    h("b", {}, word), ` ${text} `,
    button("\u00d7", () => ask({ ...question, [name]: question[name].filter(other => other !== text), at: "" }), { "aria-label": `Take away: ${word} ${text}` }));
  byId("chips").replaceChildren(...question.only.map(text => chip("only", text, "and")), ...question.not.map(text => chip("not", text, "not")));
  byId("chips").hidden = !question.only.length && !question.not.length;
}

/** The query that the form has now. */
export function typed(question) {
  const pasted = ofCommandLine(byId("q").value);
  if (pasted?.left.length) say(`The page does not ask this: ${pasted.left.map(harmless).join(", ")}`);
  if (pasted) return pasted.question;
  const range = byId("range").value;
  const isCustom = range === "custom";
  return {
    ...question, at: "", q: byId("q").value, where: byId("where").value.trim(), topic: byId("topic").value.trim(),
    from: isCustom ? times.fixed(byId("from").value) : range, to: isCustom ? times.fixed(byId("to").value) : "",
  };
}

/**
 * Asks when something of the form is changed, or Enter pressed.
 *
 * @param page `question()`, `ask(another)`, `typed()`, `stop()`, `isRunning()`, and what keys do as `does`
 */
export function listenToForm({ question, ask, typed: now, stop, does, isRunning }) {
  byId("ask").addEventListener("submit", event => {
    event.preventDefault();
    // Enter in a field is a click on the button, too; and a field that was changed has asked already.
    const isEnter = document.activeElement?.matches("#ask input");
    if (isRunning() && !isEnter) stop();
    else if (!isRunning() || toAddress(now()) !== toAddress(question())) ask(now());
  });
  for (const flag of [...FLAGS, "literal"]) byId(flag).addEventListener("click", () => ask({ ...now(), [flag]: !question()[flag] }));
  for (const name of ["where", "topic"]) byId(name).addEventListener("change", () => ask(now()));
  byId("range").addEventListener("change", () => {
    byId("custom").hidden = byId("range").value !== "custom";
    if (byId("custom").hidden) ask(now());
    else byId("from").focus();
  });
  byId("split").addEventListener("change", () => ask({ ...question(), split: byId("split").value }));
  byId("live").addEventListener("click", () => does.live());
  byId("out").addEventListener("click", () => does.out());
}
