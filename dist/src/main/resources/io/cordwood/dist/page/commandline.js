// A command line that was pasted, as a query; and what of it the page cannot ask.

import { asRegex } from "./parse.js";
import { EVERYTHING, nodeHere } from "./question.js";
import { fixed } from "./times.js";

/** Flags of `cordwood grep` and `cordwood tail` that take a value. */
export const VALUED = new Set(["-e", "--regexp", "-f", "--file", "--where", "--extract", "--and", "-m", "--max-count", "-n", "--tail", "--lines", "--node", "--token-file",
  "--tls-ca", "--tls-cert", "--tls-key", "--from", "--since", "--to", "--until", "--tz", "--topic", "-g", "--glob", "--include", "--exclude",
  "--exclude-dir", "-A", "--after-context", "-B", "--before-context", "-C", "--context", "--template", "--label-prefix", "--around", "--sort", "--color", "--colour", "--fields", "--window",
  "--request-price", "--gb-price"]);

const PATTERNS = ["-e", "--regexp"];
const ENDS = { "--from": "from", "--since": "from", "--to": "to", "--until": "to" };
const SWITCHES = {
  "-E": "regex", "--extended-regexp": "regex", "-i": "ignoreCase", "-y": "ignoreCase", "--ignore-case": "ignoreCase", "-w": "word",
  "--word-regexp": "word", "-v": "invert", "--invert-match": "invert", "-x": "whole", "--line-regexp": "whole", "-S": "smart", "--smart-case": "smart",
  "--follow": "live", "-F": "fixed", "--fixed-strings": "fixed",
};
const COLOURS = { "--color": /^(?:auto|always|never)$/, "--colour": /^(?:auto|always|never)$/ };

const WORD = /(?:'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[^\s'"\\])+|['"\\]/g;
const PIECE = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g;
const END_OF_COMMAND = /^(?:[|;&]|\d?[<>])/;

/** A word as a shell takes it. */
const taken = word => word.replace(PIECE, (_, single, double, escaped) => single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped);

/** A command line of `cordwood grep` or `tail`: { question, left }, where `left` are the words that the page cannot ask; null if it is none. */
export function ofCommandLine(line) {
  const all = line.match(WORD) ?? [];
  const end = all.findIndex(word => END_OF_COMMAND.test(word));
  const words = (end < 0 ? all : all.slice(0, end)).map(taken);
  if (!/(^|\/)cordwood$/.test(words[0] ?? "") || !["grep", "tail"].includes(words[1])) return null;
  const isTail = words[1] === "tail";
  const given = { live: isTail, patterns: [], where: [], topics: [], from: "", to: "", left: [], hasFile: false };
  const others = [];
  for (const [flag, value] of flags(words.slice(2), isTail)) take(given, others, flag, value);
  const hasPattern = given.patterns.length > 0 || given.hasFile;
  const patterns = isTail ? [...others, ...given.patterns] : hasPattern ? given.patterns : others.slice(0, 1);
  if (!isTail) given.left.push(...others.slice(hasPattern ? 0 : 1));
  if (end >= 0) given.left.push(all.slice(end).join(" "));
  return { question: question(given, patterns.flatMap(text => text.split("\n"))), left: given.left };
}

/** Each flag with its value, undefined if it takes none; with an empty flag what is none. */
function* flags(words, isTail) {
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === "--") return yield* words.slice(i + 1).map(each => ["", each]);
    if (word.startsWith("--")) {
      const [flag, value] = word.split(/=(.*)/s);
      const isGiven = VALUED.has(flag) && (COLOURS[flag]?.test(words[i + 1] ?? "") ?? true);
      yield [flag, value ?? (isGiven ? words[++i] ?? "" : undefined)];
    } else if (word.startsWith("-") && word.length > 1) {
      for (let at = 1; at < word.length; at++) {
        const flag = `-${word[at]}`;
        const rest = word.slice(at + 1).replace(/^=/, "");
        const isLineNumber = flag === "-n" && !isTail && !/^\d+$/.test(rest || words[i + 1]);
        if (!VALUED.has(flag) || isLineNumber) yield [flag];
        else {
          yield [flag, rest || (words[++i] ?? "")];
          break;
        }
      }
    } else yield ["", word];
  }
}

function take(given, others, flag, value) {
  if (!flag) others.push(value);
  else if (PATTERNS.includes(flag)) given.patterns.push(value);
  else if (flag === "--topic") given.topics.push(value);
  else if (flag === "--where" && !given.where.length) given.where.push(value); // Another one would be another choice.
  else if (ENDS[flag]) given[ENDS[flag]] = fixed(value);
  else if (SWITCHES[flag]) given[SWITCHES[flag]] = true;
  else if (flag !== "--node" || ![location.host, nodeHere()].includes(value)) {
    given.left.push(value === undefined ? flag : `${flag} ${value}`);
    given.hasFile ||= ["-f", "--file"].includes(flag);
  }
}

/** Several patterns, of which one has to match, and whole records are what regular expressions can say. */
function question({ where, topics, from, to, live, regex = false, ignoreCase = false, smart = false, word = false, whole = false, invert = false }, patterns) {
  const isMade = patterns.length > 1 || (whole && patterns.length > 0);
  const one = patterns.map(text => (regex ? `(?:${text})` : asRegex(text))).join("|");
  const letters = patterns.join("").replace(regex ? /\\([pP]\{[^}]*\}|[pP].|.)/g : /(?!)/, "");
  return {
    ...EVERYTHING, literal: true, only: [], not: [], where: where.join(""), topic: topics.join(","), from, to, live,
    q: isMade ? (whole ? `^(?:${one})$` : one) : patterns[0] ?? "",
    regex: regex || isMade, ignoreCase: ignoreCase || (smart && !/\p{Lu}/u.test(letters)), word: word && !whole, invert,
  };
}
