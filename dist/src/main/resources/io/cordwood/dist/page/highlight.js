// What is marked in records: where they match, as far as the browser can tell without danger.

import { asRegex } from "./parse.js";
import { ownTexts } from "./question.js";

/** The browser's engine backtracks: an expression that could make it do so for long is not marked at all. */
function isTame(source) {
  const plain = source.replace(/\\./g, "x").replace(/\[(?:[^\]\\]|\\.)*\]/g, "c");
  const unbounded = plain.match(/[*+]|\{\d+,\d*\}/g) ?? [];
  return unbounded.length <= 2 && !/\)[*+{]/.test(plain);
}

function ofRegex(q, flags) {
  const inline = /^\(\?([is]+)\)/.exec(q);
  const source = q.slice(inline?.[0].length ?? 0).replace(/\\x\{([0-9a-fA-F]+)\}/g, "\\u{$1}").replace(/\\A/g, "^").replace(/\\z/g, "$");
  if (!isTame(source)) return null;
  try {
    return new RegExp(source, [...new Set(flags + (inline?.[1] ?? ""))].join(""));
  } catch {
    return null; // What RE2 knows and the browser does not.
  }
}

/** An expression for each text that is asked for. */
export function marks(question) {
  const { regex, ignoreCase, word, invert, only } = question;
  const flags = `gu${ignoreCase ? "i" : ""}`;
  const own = invert ? [] : ownTexts(question).map(text => (regex ? ofRegex(text, flags) : new RegExp(asRegex(text), flags))).filter(Boolean);
  const whole = each => word ? new RegExp(`(?<![\\p{L}\\p{M}\\p{Nd}\\p{Pc}])(?:${each.source})(?![\\p{L}\\p{M}\\p{Nd}\\p{Pc}])`, each.flags) : each;
  return [...own.map(whole), ...only.map(text => new RegExp(asRegex(text), "gu"))];
}

/** Where a text matches: [from, to, which], in order, none within another. */
export function ranges(text, expressions) {
  const found = [];
  expressions.forEach((expression, which) => {
    expression.lastIndex = 0;
    for (let match; found.length < 500 && (match = expression.exec(text)); ) {
      if (match[0] === "") expression.lastIndex++;
      else found.push([match.index, match.index + match[0].length, which % 4]);
    }
  });
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  let end = 0;
  return found.filter(([from, to]) => from >= end && (end = to));
}
