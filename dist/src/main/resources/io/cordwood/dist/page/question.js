// What is asked: the address of the page, the parameters of the API, the command line, all the same question.

import { wire } from "./times.js";

/** So many alternatives "only this" may make: the API knows no "and", so all orders of the texts are asked for. */
export const MAX_ONLY = 3;

const MAX_LABELS = 8;

const FLAGS = { regex: "regex", ignoreCase: "ignore_case", word: "word", invert: "invert" };

export const EVERYTHING = Object.freeze({
  q: "", regex: false, ignoreCase: false, word: false, invert: false, where: "", topic: "", from: "", to: "",
  only: [], not: [], at: "", split: "", labels: "", live: false, view: "records",
});

export function ofAddress(search) {
  const given = new URLSearchParams(search);
  const question = { ...EVERYTHING, only: given.getAll("only").filter(Boolean).slice(0, MAX_ONLY), not: given.getAll("not").filter(Boolean) };
  for (const name of ["q", "where", "topic", "from", "to"]) question[name] = given.get(name) ?? "";
  for (const [name, parameter] of Object.entries(FLAGS)) question[name] = given.get(parameter) === "true";
  question.at = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(given.get("at") ?? "") ? given.get("at") : "";
  question.split = (given.get("split") ?? "").slice(0, 200);
  question.labels = (given.get("labels") ?? "").slice(0, 1000);
  question.live = given.get("live") === "true";
  question.view = given.get("view") === "cluster" ? "cluster" : "records";
  return question;
}

export function toAddress(question) {
  const address = new URLSearchParams();
  for (const name of ["q", "where", "topic", "from", "to"]) if (question[name]) address.set(name, question[name]);
  for (const [name, parameter] of Object.entries(FLAGS)) if (question[name]) address.set(parameter, "true");
  question.only.forEach(text => address.append("only", text));
  question.not.forEach(text => address.append("not", text));
  for (const name of ["at", "split", "labels"]) if (question[name]) address.set(name, question[name]);
  if (question.live) address.set("live", "true");
  if (question.view !== "records") address.set("view", question.view);
  const text = address.toString();
  return text ? `?${text}` : location.pathname;
}

/** The names of labels that rows have. */
export const labelsOf = question => question.labels.split(",").filter(Boolean).slice(0, MAX_LABELS);

/** A text as a regular expression. */
export const quoted = text => text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");

/** The pattern and its flags, as the API has them. */
function pattern({ q, regex, ignoreCase, word, invert, only, not }) {
  const texts = q ? [q, ...only] : only;
  if (!texts.length && not.length === 1 && !invert) return { q: not[0], ignoreCase: false, invert: true, shown: [] };
  if (texts.length < 2) {
    const own = Boolean(q);
    return { q: texts[0] ?? "", regex: own && regex, ignoreCase: own && ignoreCase, word: own && word, invert: own && invert, shown: not };
  }
  const flags = ignoreCase ? "(?i)" : "";
  const own = regex ? q : quoted(q);
  const first = q && `(?:${flags}${word ? `\\b(?:${own})\\b` : own})`;
  const all = q ? [first, ...only.map(quoted)] : only.map(quoted);
  return { q: `(?s)${orders(all).map(order => order.join(".*")).join("|")}`, regex: true, invert, shown: not };
}

function orders(list) {
  return list.length < 2 ? [list] : list.flatMap((x, i) => orders(list.filter((_, j) => j !== i)).map(rest => [x, ...rest]));
}

/** Those texts of "not this" that only the page leaves out, since the API has no way to say them. */
export const leftOutHere = question => pattern(question).shown;

/** The parameters that say which records match, without those that say how the answer is to be. */
export function matching(question) {
  const asked = pattern(question);
  const parameters = new URLSearchParams();
  if (asked.q) parameters.set("q", asked.q);
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
  if (given.q.startsWith("-")) words.push("-e");
  if (given.q || !question.where) words.push(given.q);
  return words.map(word => shell(word) || "''").join(" ");
}

export function curl(question) {
  const parameters = question.live ? matching(question) : asked(question);
  return `curl -sN ${shell(`${addressOf(question.live ? "stream" : "query")}?${parameters}`)}`;
}
