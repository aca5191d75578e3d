// Names to choose from: topics, and fields of the records on the page.

import { objects } from "./answer.js";
import { byId, h } from "./dom.js";
import { fieldsOf, named } from "./parse.js";

/** Fields are those of so many of the newest records. */
const LOOKED_AT = 300;
const MOST_FIELDS = 100;
const MOST_SPLITS = 20;

let topicNames = null;

/** All topics; null as long as they are not known. */
export const knownTopics = () => topicNames;

export async function nameTopics() {
  const names = [];
  try {
    await objects("topics", new URLSearchParams({ format: "json" }), { each: ({ topic }) => names.push(topic) });
    topicNames = names;
    offerTopics();
  } catch {
    // Completion is a help; the search says what is wrong.
  }
}

/** Of several with commas between, the last one is completed. */
function offerTopics() {
  const value = byId("topic").value;
  const before = value.slice(0, value.lastIndexOf(",") + 1);
  byId("topics").replaceChildren(...(topicNames ?? []).slice(0, 1000).map(name => h("option", { value: before + name })));
}

/** Names of fields as conditions have them, those of most records first. */
function fieldNames(rows) {
  const counts = new Map();
  for (const record of rows.all.slice(-LOOKED_AT)) {
    for (const name of new Set(fieldsOf(record).map(([each]) => named(each)))) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST_FIELDS).map(([name]) => name);
}

/** Of several conditions the last one is completed. */
function offerFields(rows) {
  const before = /^(?:.*\sand\s+)?/.exec(byId("where").value)[0];
  byId("fields").replaceChildren(...fieldNames(rows).map(name => h("option", { value: before + name })));
}

/** Shows how the histogram is split. */
export function showSplit(split, names = []) {
  const fields = [...new Set([...names, split].filter(name => name && name !== "level"))];
  const choices = [["", "Not split"], ["level", "By level"], ...fields.map(name => [name, `By ${name.replace(/^field:/, "field ")}`])];
  byId("split").replaceChildren(...choices.map(([value, text]) => h("option", { value, selected: value === split }, text)));
  byId("split").value = split;
}

/** Offers names where they can be typed or chosen. */
export function suggest(rows) {
  byId("topic").addEventListener("input", offerTopics);
  byId("topic").addEventListener("focus", nameTopics);
  for (const event of ["focus", "input"]) byId("where").addEventListener(event, () => offerFields(rows));
  byId("split").addEventListener("focus", () =>
    showSplit(byId("split").value, fieldNames(rows).slice(0, MOST_SPLITS).map(name => (name === "level" ? "field:level" : name))));
}
