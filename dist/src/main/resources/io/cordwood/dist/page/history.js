// Questions that were asked in this browser, the last one first.

import { keep, kept } from "./storage.js";

const NAME = "history";
const MOST = 40;

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
