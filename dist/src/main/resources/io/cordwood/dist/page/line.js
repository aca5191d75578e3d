// How a record's text is shown: colours that it asks for, what matches, and everything that could mislead made visible.

import { h } from "./dom.js";
import { ranges } from "./highlight.js";

const SPECIAL = /\x1b\[([0-9;:]*)m|[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/gu;

const NAMES = {
  0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI",
  0x2069: "PDI", 0x200e: "LRM", 0x200f: "RLM", 0x061c: "ALM", 0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0xfeff: "BOM",
  0x2028: "LSEP", 0x2029: "PSEP", 0x00ad: "SHY", 0x2060: "WJ",
};

const CONTROLS = "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(" ");

/** A name in angle quotes, which no font lacks. */
function visible(character) {
  const code = character.codePointAt(0);
  if (code < 0x20) return `\u2039${CONTROLS[code]}\u203a`;
  if (code === 0x7f) return "\u2039DEL\u203a";
  return `\u2039${NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`}\u203a`;
}

/** The text as it can be shown harmlessly, without colours. */
export function harmless(text) {
  return text.replace(SPECIAL, (found, sgr) => (sgr === undefined ? visible(found) : ""));
}

const channel = n => Math.max(0, Math.min(255, Number(n) || 0));

function palette(n) {
  if (n < 16) return `a${n}`;
  if (n > 231) return Array(3).fill(8 + (n - 232) * 10);
  const step = x => (x ? 55 + 40 * x : 0);
  return [step(Math.floor((n - 16) / 36)), step(Math.floor((n - 16) / 6) % 6), step((n - 16) % 6)];
}

/** What a run of text looks like after a "select graphic rendition", of which the colours and a few more are known. */
function styled(style, parameters) {
  const codes = parameters.split(/[;:]/).map(Number);
  const now = { ...style };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i];
    if (code === 0) Object.keys(now).forEach(key => delete now[key]);
    else if (code === 1) now.bold = true;
    else if (code === 2) now.dim = true;
    else if (code === 3) now.italic = true;
    else if (code === 4) now.underline = true;
    else if (code === 22) { delete now.bold; delete now.dim; }
    else if (code === 23) delete now.italic;
    else if (code === 24) delete now.underline;
    else if (code >= 30 && code <= 37) now.ink = `a${code - 30}`;
    else if (code >= 90 && code <= 97) now.ink = `a${code - 82}`;
    else if (code === 39) delete now.ink;
    else if (code >= 40 && code <= 47) now.paper = `a${code - 40}`;
    else if (code >= 100 && code <= 107) now.paper = `a${code - 92}`;
    else if (code === 49) delete now.paper;
    else if (code === 38 || code === 48) {
      const colour = codes[i + 1] === 5 ? palette(channel(codes[i + 2])) : codes[i + 1] === 2 ? codes.slice(i + 2, i + 5).map(channel) : null;
      if (colour) now[code === 38 ? "ink" : "paper"] = colour;
      i += codes[i + 1] === 5 ? 2 : codes[i + 1] === 2 ? 4 : 0;
    }
  }
  return now;
}

/** The runs of a text that look the same: { text, style, odd }. */
function runs(text) {
  const found = [];
  let style = {};
  let from = 0;
  for (const match of text.matchAll(SPECIAL)) {
    if (match.index > from) found.push({ text: text.slice(from, match.index), style });
    from = match.index + match[0].length;
    if (match[1] !== undefined) style = styled(style, match[1]);
    else found.push({ text: visible(match[0]), style, odd: true });
  }
  if (from < text.length) found.push({ text: text.slice(from), style });
  return found;
}

function element(run, mark) {
  const { ink, paper } = run.style;
  const classes = ["bold", "dim", "italic", "underline"].filter(name => run.style[name]);
  if (run.odd) classes.push("odd");
  if (typeof ink === "string") classes.push(`ink-${ink}`);
  if (typeof paper === "string") classes.push(`paper-${paper}`);
  const style = {};
  // A colour of its own has to be legible: it gets the ground that it was most likely meant for.
  if (Array.isArray(ink)) {
    style.color = `rgb(${ink})`;
    if (!paper) style.backgroundColor = luminance(ink) > 0.35 ? "#1b1b1b" : "#f4f4f4";
  }
  if (Array.isArray(paper)) {
    style.backgroundColor = `rgb(${paper})`;
    if (!ink) style.color = luminance(paper) > 0.35 ? "#111" : "#eee";
  }
  const plain = !classes.length && !ink && !paper;
  if (mark === undefined) return plain ? run.text : h("span", { class: classes.join(" "), style }, run.text);
  return h("mark", { class: `m${mark} ${classes.join(" ")}`.trim() }, run.text);
}

const luminance = ([r, g, b]) => (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;

/** The nodes that show a text, with what matches marked. */
export function shown(text, expressions) {
  const parts = runs(text);
  const found = expressions.length ? ranges(parts.map(part => part.text).join(""), expressions) : [];
  if (!found.length) return parts.map(part => element(part));
  const nodes = [];
  let at = 0;
  let next = 0;
  for (const part of parts) {
    const end = at + part.text.length;
    let from = at;
    while (from < end) {
      while (next < found.length && found[next][1] <= from) next++;
      const [begin, stop, which] = found[next] ?? [Infinity];
      const to = Math.min(end, begin > from ? begin : stop);
      nodes.push(element({ ...part, text: part.text.slice(from - at, to - at) }, begin <= from ? which : undefined));
      from = to;
    }
    at = end;
  }
  return nodes;
}
