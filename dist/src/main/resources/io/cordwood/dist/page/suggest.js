// Names to choose from: topics, fields of the records on the page, and labels with their values.

import { objects } from "./answer.js";
import { byId, h } from "./dom.js";
import { asField, conditionOf, fieldsOf, named } from "./parse.js";

/** Fields are those of so many of the newest records. */
const LOOKED_AT = 300;
const MOST_FIELDS = 100;
const MOST_SPLITS = 20;
const MOST_LABELS = 200;
const MAX_NAME_CHARS = 40;

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
  for (const record of rows.newest(LOOKED_AT)) {
    for (const name of new Set(fieldsOf(record).map(([each]) => named(each)))) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST_FIELDS).map(([name]) => name);
}

/** Names of labels as "", and values by their label's name; asked for when they are needed first. */
const labels = new Map();

function labelsOf(name) {
  const found = [];
  const parameters = new URLSearchParams({ ...(name && { name }), format: "json", time_limit: "2s" });
  if (!labels.has(name)) labels.set(name, objects("labels", parameters, { each: row => found.push(row.name ?? row.value) }).then(() => found, () => []));
  return labels.get(name);
}

/** Of several conditions the last one is completed: a name, or the value of a label. */
async function offerFields(rows) {
  const typed = byId("where").value;
  const before = /^(?:.*\sand\s+)?/.exec(typed)[0];
  const begin = typed.slice(before.length);
  const [, label, not] = /^@([\w.-]+)(\?!)?=/.exec(begin) ?? [];
  const offer = names => byId("fields").replaceChildren(...names.map(name => h("option", { value: before + name })));
  if (!label) offer(fieldNames(rows));
  const found = (await labelsOf(label ?? "")).map(each => (label ? conditionOf(null, asField(label), each, Boolean(not)) : asField(each)));
  const fitting = found.filter(each => each?.startsWith(begin)).slice(0, MOST_LABELS);
  if (byId("where").value === typed) offer([...new Set([...(label ? [] : fieldNames(rows)), ...fitting])]);
}

/** Shows how the histogram is split. */
export function showSplit(split, names = []) {
  const fields = [...new Set([...names, split].filter(name => !["", "none", "level"].includes(name)))];
  const choices = [["none", "Not split"], ["level", "By level"], ...fields.map(name => [name, `By ${name.replace(/^field:/, "field ").slice(0, MAX_NAME_CHARS)}`])];
  byId("split").replaceChildren(...choices.map(([value, text]) => h("option", { value, selected: value === split }, text)));
  byId("split").value = split;
}

/** Offers the fields that are seen for the histogram. */
export function offerSplits(rows) {
  showSplit(byId("split").value, fieldNames(rows).slice(0, MOST_SPLITS).map(name => (name === "level" ? "field:level" : name)));
}

/** Offers names where they can be typed or chosen. */
export function suggest(rows) {
  byId("topic").addEventListener("input", offerTopics);
  byId("topic").addEventListener("focus", nameTopics);
  byId("where").addEventListener("focus", () => labels.clear());
  for (const event of ["focus", "input"]) byId("where").addEventListener(event, () => offerFields(rows));
  byId("split").addEventListener("focus", () => offerSplits(rows));
}
