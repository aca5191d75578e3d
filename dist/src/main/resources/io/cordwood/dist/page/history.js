// Questions that were asked in this browser, the last one first.

import { keep, kept } from "./storage.js";
import { shown } from "./times.js";

const NAME = "history";
const MOST = 40;
const LETTERS = { regex: "-E", ignoreCase: "-i", word: "-w", invert: "-v" };

export function past() {
  try {
    const list = JSON.parse(kept(NAME) ?? "[]");
    return Array.isArray(list) ? list.filter(address => typeof address === "string" && address.startsWith("?")) : [];
  } catch {
    return [];
  }
}

export function remember(address) {
  if (address.startsWith("?")) keep(NAME, JSON.stringify([address, ...past().filter(other => other !== address)].slice(0, MOST)));
}

export const forget = () => keep(NAME, null);

/** A query in a line, for people. */
export function inWords(asked) {
  const flags = Object.entries(LETTERS).map(([flag, letter]) => asked[flag] && letter);
  const texts = [asked.q, ...asked.only.map(t => `and ${t}`), ...asked.not.map(t => `not ${t}`)].filter(Boolean);
  return [...flags, texts.join(" ") || "everything", asked.where && `where ${asked.where}`, asked.topic && `in ${asked.topic}`, asked.from && `from ${shown(asked.from)}`, asked.to && `to ${shown(asked.to)}`, asked.live && "live"]
    .filter(Boolean).join(" ").slice(0, 120);
}
