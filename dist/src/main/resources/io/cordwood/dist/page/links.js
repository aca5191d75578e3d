// Where values of fields lead to, such as a trace: by templates that the node was started with.

import { text } from "./answer.js";

let templates = new Map();

/** Asks the node for them; without, values are no links. */
export async function loadLinks() {
  try {
    templates = new Map(Object.entries(JSON.parse(await text("links"))));
  } catch {
    // What is wrong with the node or the token, the search says.
  }
}

/** What a field's value leads to; null if it leads nowhere. A field within an object has its last name, too. */
export function linkOf(name, value) {
  const template = templates.get(name) ?? templates.get(name.split(".").at(-1));
  if (!template || !value || /^\.{1,2}$/.test(value)) return null;
  try {
    const link = new URL(template.replaceAll("{value}", encodeURIComponent(value)));
    return ["http:", "https:"].includes(link.protocol) ? link.href : null;
  } catch {
    return null; // Half a surrogate pair has no encoding.
  }
}
