// What is asked: the address of the page, the parameters of the API, the command line, all the same question.

import { columnsOf, columnsText } from "./columns.js";
import { asField, asRegex } from "./parse.js";
import { iso, moment, wire } from "./times.js";

/** So many texts may be added by "only this". */
export const MAX_ONLY = 20;

const FLAGS = { regex: "regex", ignoreCase: "ignore_case", word: "word", invert: "invert" };

/** The views, of which the first is that of no address. */
export const VIEWS = ["records", "cluster", "alerts"];

export const EVERYTHING = Object.freeze({
  q: "", regex: false, ignoreCase: false, word: false, invert: false, where: "", topic: "", from: "", to: "",
  literal: false, only: [], not: [], at: "", split: "", live: false, view: "records",
  columns: "", newestFirst: false, wrap: false, delta: false,
});

/** How records are shown, which is no matter of which they are. */
export const LOOKS = Object.freeze({ columns: "", newestFirst: false, wrap: false, delta: false });

const SHOWN = { newestFirst: "newest_first", wrap: "wrap", delta: "delta" };

export function ofAddress(search) {
  const given = new URLSearchParams(search);
  const question = { ...EVERYTHING, only: given.getAll("only").filter(Boolean).slice(0, MAX_ONLY), not: given.getAll("not").filter(Boolean) };
  for (const name of ["q", "where", "topic", "from", "to"]) question[name] = given.get(name) ?? "";
  for (const [name, parameter] of Object.entries(FLAGS)) question[name] = given.get(parameter) === "true";
  question.literal = given.get("words") !== "true" && isSplit(question);
  question.at = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(given.get("at") ?? "") ? given.get("at") : "";
  question.split = (given.get("split") ?? "").slice(0, 200);
  question.columns = columnsText(columnsOf(columnsIn(given)));
  for (const [name, parameter] of Object.entries(SHOWN)) question[name] = given.get(parameter) === "true";
  question.live = given.get("live") === "true";
  question.view = VIEWS.find(view => view === given.get("view")) ?? VIEWS[0];
  return question;
}

/** The columns as an address has them; of old ones, the labels that rows had. */
export function columnsIn(given) {
  const labels = (given.get("labels") ?? "").split(",").filter(Boolean).map(name => ({ name: asField(name) }));
  return [given.get("columns"), columnsText(labels)].filter(Boolean).join(",");
}

export function toAddress(question) {
  const address = new URLSearchParams();
  for (const name of ["q", "where", "topic", "from", "to"]) if (question[name]) address.set(name, question[name]);
  for (const [name, parameter] of Object.entries(FLAGS)) if (question[name]) address.set(parameter, "true");
  if (isSplit(question) && !question.literal) address.set("words", "true");
  question.only.forEach(text => address.append("only", text));
  question.not.forEach(text => address.append("not", text));
  for (const name of ["at", "split", "columns"]) if (question[name]) address.set(name, question[name]);
  for (const [name, parameter] of Object.entries(SHOWN)) if (question[name]) address.set(parameter, "true");
  if (question.live) address.set("live", "true");
  if (question.view !== "records") address.set("view", question.view);
  const text = address.toString();
  return text ? `?${text}` : location.pathname;
}

const TEXT = /(?<=^|\s)"([^"]+)"(?=\s|$)|\S+/g;

/** The texts of the box, all of which have to be there: words, and phrases in quotes. */
function textsIn(q) {
  const found = [...q.matchAll(TEXT)].map(([word, phrase]) => phrase ?? word);
  return found.length || !q ? found : [q];
}

/** Whether the text in the box is another question if it is taken as one literal. */
const isSplit = ({ q, regex }) => !regex && String(textsIn(q)) !== q;

/** The texts in the box as they are looked for, without those that were added. */
export const ownTexts = ({ q, regex, literal }) => (!q || regex || literal ? [q].filter(Boolean) : textsIn(q));

/** The texts that all have to be in a record. */
export const textsOf = question => [...ownTexts(question), ...question.only];

/**
 * The same question, which means the same at another time.
 *
 * @param range the times that it has now, if the node has said that; else null
 */
export function absolute(question, range) {
  const { from, to, live } = question;
  if (!from && !to) return question;
  const now = typed => (moment(typed) === null ? typed : iso(moment(typed)));
  return { ...question, from: from && (range?.[0] ?? now(from)), to: live ? "" : range?.[1] ?? now(to || "now") };
}

/** The patterns, all of which have to match, and their flags, as the API has them. */
function pattern(question) {
  const { regex, ignoreCase, word, invert, only, not } = question;
  const own = ownTexts(question);
  const texts = [...own, ...only];
  if (!texts.length && not.length === 1 && !invert) return { all: [not[0]], invert: true, shown: [] };
  if (!own.length || !only.length || !(regex || ignoreCase || word)) {
    const flags = own.length > 0 && { regex, ignoreCase, word, invert };
    return { all: texts, ...flags, shown: not };
  }
  const flagged = text => {
    const source = regex ? text : asRegex(text);
    return `${ignoreCase ? "(?i)" : ""}${word ? `\\b(?:${source})\\b` : source}`;
  };
  return { all: [...own.map(flagged), ...only.map(asRegex)], regex: true, invert, shown: not };
}

/** Those texts of "not this" that only the page leaves out, since the API has no way to say them. */
export const leftOutHere = question => pattern(question).shown;

/** The parameters that say which records match, without those that say how the answer is to be. */
export function matching(question) {
  const asked = pattern(question);
  const parameters = new URLSearchParams();
  asked.all.forEach((text, i) => parameters.append(i ? "and" : "q", text));
  for (const [name, parameter] of Object.entries(FLAGS)) if (asked[name]) parameters.set(parameter, "true");
  if (question.where) parameters.set("where", question.where);
  question.topic.split(",").map(t => t.trim()).filter(Boolean).forEach(topic => parameters.append("topic", topic));
  return parameters;
}

/** The same with the time range. */
export function asked(question) {
  const parameters = matching(question);
  for (const end of ["from", "to"]) if (question[end]) parameters.set(end, wire(question[end]));
  return parameters;
}

const shell = word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** The address of what the node has, which may be below a path of a proxy. */
export const addressOf = path => new URL(path, location.href).href;

/** The node as `--node` takes it. */
export function nodeHere() {
  const isTls = location.protocol === "https:";
  const path = location.pathname.replace(/\/+$/, "");
  return `${isTls ? "https://" : ""}${location.hostname}:${location.port || (isTls ? 443 : 80)}${path}`;
}

export function commandLine(question) {
  const given = pattern(question);
  const words = ["cordwood", question.live ? "tail" : "grep"];
  if (nodeHere() !== "localhost:7650") words.push("--node", nodeHere());
  for (const [flag, name] of [["-E", "regex"], ["-i", "ignoreCase"], ["-w", "word"], ["-v", "invert"]]) if (given[name]) words.push(flag);
  if (question.where) words.push("--where", question.where);
  if (question.topic) words.push("--topic", question.topic.replace(/\s/g, ""));
  if (!question.live) for (const end of ["from", "to"]) if (question[end]) words.push(`--${end}`, wire(question[end]));
  const [first = "", ...others] = given.all;
  others.forEach(text => words.push("--and", text));
  if (first.startsWith("-")) words.push("-e");
  if (first || !question.where) words.push(first);
  return words.map(word => shell(word) || "''").join(" ");
}

export function curl(question) {
  const parameters = question.live ? matching(question) : asked(question);
  return `curl -sN ${shell(`${addressOf(question.live ? "stream" : "query")}?${parameters}`)}`;
}
