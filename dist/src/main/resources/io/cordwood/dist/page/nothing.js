// What is said where no record is: what was searched, and where there may be some.

import { button, byId, h } from "./dom.js";
import { harmless } from "./line.js";
import { textsOf } from "./question.js";
import { knownTopics } from "./suggest.js";
import * as times from "./times.js";

const MAX_WORDS_CHARS = 200;

/** Whether a question asks for less than everything. */
export const isNarrow = ({ q, where, only, not, topic, from, to }) => Boolean(q || where || only.length || not.length || topic || from || to);

/** Of a node that has no records. */
export { start as noRecords } from "./start.js";

/**
 * Of a question that finds none.
 *
 * @param does `ask(another)`, and `widen()` for a wider range
 */
export function nothingFound(question, does) {
  const unknown = unknownTopics(question);
  const said = [`No record matches${wordsOf(question)}. `, ...unknown.map(({ name, isMany }) => `${isMany ? "No topic matches" : "There is no topic"} ${harmless(name)}. `)];
  return [...said, h("span", { class: "offers" }, ...offers(question, unknown, does))];
}

/** What was searched, and where. */
function wordsOf(question) {
  const { where, topic, not, invert } = question;
  const texts = textsOf(question);
  const words = [
    texts.length > 0 && ` ${invert ? "all but " : ""}${texts.map(text => `\u201c${text}\u201d`).join(" and ")}`,
    not.length > 0 && ` without ${not.map(text => `\u201c${text}\u201d`).join(" and ")}`,
    where && ` where ${where}`,
    topic && ` in ${topic}`,
    ` ${spanOf(question)}`,
  ];
  return harmless(words.filter(Boolean).map(each => (each.length > MAX_WORDS_CHARS ? `${each.slice(0, MAX_WORDS_CHARS)}\u2026` : each)).join(","));
}

function spanOf({ from, to }) {
  if (!from && !to) return "at any time";
  const preset = !to && [...byId("range").options].find(option => option.value === from);
  if (preset) return `in the ${preset.text.toLowerCase()}`;
  return `from ${times.shown(from) || "the first"} to ${times.shown(to) || "now"}`;
}

function offers(question, unknown, { ask, widen }) {
  const { q, where, ignoreCase, regex, literal, topic, from, to } = question;
  const other = (text, changes) => button(text, () => ask({ ...question, at: "", ...changes }));
  return [
    ...unknown.filter(({ nearest }) => nearest).map(({ name, nearest }) => other(`Search ${harmless(nearest)}`, { topic: topicsOf(topic).map(each => (each === name ? nearest : each)).join(",") })),
    (from || to) && button("A wider range", widen),
    (from || to) && other("Any time", { from: "", to: "" }),
    topic && other("All topics", { topic: "" }),
    q && !ignoreCase && other("Ignore case", { ignoreCase: true }),
    literal && !regex && /\s/.test(q) && other("As separate words", { literal: false }),
    where && q && other("Without the conditions", { where: "" }),
  ].filter(Boolean);
}

const topicsOf = topic => topic.split(",").map(name => name.trim()).filter(Boolean);

/** Those that are asked for and not there: { name, isMany, nearest }; none while the topics are not known. */
function unknownTopics({ topic }) {
  const known = knownTopics();
  if (!known) return [];
  return topicsOf(topic).filter(name => !(name.endsWith("*") ? known.some(each => each.startsWith(name.slice(0, -1))) : known.includes(name)))
    .map(name => ({ name, isMany: name.endsWith("*"), nearest: nearestOf(name.replace(/\*$/, ""), known) }));
}

/** The name that differs least, by a third of its characters at most; null if none does. */
export function nearestOf(name, known) {
  let [nearest, least] = [null, Math.max(1, Math.floor(name.length / 3)) + 1];
  for (const each of known) {
    const edits = Math.abs(each.length - name.length) < least ? editsOf(name.toLowerCase(), each.toLowerCase()) : least;
    if (edits < least) [nearest, least] = [each, edits];
  }
  return nearest;
}

/** How many characters are to be put in, taken away, replaced, or swapped with the next one. */
function editsOf(a, b) {
  let [before, row] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    [before, row] = [row, next];
  }
  return row[b.length];
}
