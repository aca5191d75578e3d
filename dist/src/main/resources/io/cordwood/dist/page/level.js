// The level that a record gives itself: as the node finds it, which counts by level.

const LOOKED_AT = 400;

const WORDS = {
  error: "fatal critical crit severe emergency emerg panic alert error err 50 60 fail eror erro fata pani ftl",
  warn: "warning warn 40 wrn",
  info: "info notice 30 information informational inf",
  debug: "debug trace fine finer finest 10 20 verbose dbug debu dbg trce trac trc vrb",
};
const OF_WORD = new Map(Object.entries(WORDS).flatMap(([level, words]) => words.split(" ").map(word => [word, level])));
const OF_LETTER = { F: "error", E: "error", C: "error", W: "warn", I: "info", D: "debug", T: "debug", V: "debug" };
const OF_MARK = { "#": "warn", "*": "info", "-": "debug", ".": "debug" };

const COLOUR = /\x1b\[[0-9;:]*m/g;
const CAPITALS = /^(?:[A-Z]{1,13}|[A-Z]{2,}\d\w*)$/;
const VALUE = /(\\?["'])?[ \t]*([:=])[ \t]*(?:\\?["'])?(\w+)/y;
const OPENS = /(?:^|\W)\[(?:\w*:)?$/;

// Which of several names of fields counts.
const [FIRST, SECOND, OTHER, LAST, NO_KEY] = [0, 1, 2, 3, 4];
const OTHERS = ["lvl", "levelname", "level_name", "severity_text", "severitytext"];

const ofWord = word => OF_WORD.get((/^\d/.test(word) ? word : word.replace(/\d+$/, "")).toLowerCase()) ?? "";
const ofLetter = letter => OF_LETTER[letter] ?? "";
const ofSyslog = severity => (severity < 4 ? "error" : severity === 4 ? "warn" : severity < 7 ? "info" : "debug");

/** "error", "warn", "info", "debug", or "" if it says none near its begin. */
export function levelOf(text) {
  const head = (text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text).replace(COLOUR, " ");
  let [rank, ofKey, first, at, quoted, depth, words, numbers] = [NO_KEY, "", ofStart(head), 0, false, 0, 0, 0];
  for (const { 0: word, index: start } of head.matchAll(/\w+/g)) {
    for (; at < start; at++) {
      if (head[at] === '"') quoted = quoted !== (head[at - 1] !== "\\");
      else if (head[at] === "{") depth++;
      else if (head[at] === "}") depth--;
    }
    at = start + word.length;
    const found = at < head.length ? rankOf(head, word, start, at, quoted, depth) : NO_KEY;
    if (found < NO_KEY) {
      const level = found < rank ? valueOf(head, word, start, at, found) : "";
      if (level) [ofKey, rank] = [level, found];
      if (ofKey && rank === FIRST) return ofKey;
    } else {
      first ||= (CAPITALS.test(word) && ofWord(word)) || ofForm(head, word, start, at, words > 0 && words === numbers);
    }
    words++;
    numbers += /^\d/.test(word) ? 1 : 0;
  }
  return ofKey || first || ofPriority(head);
}

function rankOf(head, word, start, end, quoted, depth) {
  const rank = rankOfName(head, word.toLowerCase(), start);
  if (rank === NO_KEY) return isShort(head, word, start) ? OTHER : NO_KEY;
  const isWholeQuote = /"[\w.@\-$]*$/.test(head.slice(0, start)) && '"\\'.includes(head[end]);
  return depth > 1 || (quoted && !isWholeQuote) ? LAST : rank;
}

function rankOfName(head, name, start) {
  const isPart = ".-".includes(head[start - 1] ?? " ") && head.slice(Math.max(0, start - 4), start).toLowerCase() !== "log.";
  if (name.endsWith("level")) return name === "level" && !isPart ? FIRST : LAST;
  if (name.endsWith("severity")) return name === "severity" ? SECOND : LAST;
  return OTHERS.includes(name) ? OTHER : OTHERS.some(each => name.endsWith(each)) ? LAST : NO_KEY;
}

const isPriority = word => /^P[Rr][Ii][Oo][Rr][Ii][Tt][Yy]$/.test(word);

function isShort(head, word, start) {
  const before = head[start - 1];
  return (before === "@" && /^l$/i.test(word)) || (before === '"' && (word === "s" || isPriority(word)));
}

/** The level that a name is followed by: `":"warn"` or `=WARN`. */
function valueOf(head, word, start, end, rank) {
  VALUE.lastIndex = end;
  const found = VALUE.exec(head);
  if (!found) return "";
  const [all, quote, sign, value] = found;
  const isField = Boolean(quote) || sign === "=";
  if (/^\d/.test(value)) {
    const isEscaped = head[end] === "\\" && rankOfName(head, word.toLowerCase(), start) < LAST;
    if (!isField || (rank === LAST && !isEscaped)) return "";
    const isSyslog = /^[0-7]$/.test(value) && (isPriority(word) || head.includes('"short_message"'));
    return isSyslog ? ofSyslog(Number(value)) : ofWord(value);
  }
  if (word === "s") return /^.\w*\d$|^.$/.test(value) && /^["', ]*"c"/.test(head.slice(end + all.length).replaceAll("'", "\0")) ? ofLetter(value[0]) : "";
  return value.length === 1 && isField ? ofLetter(value.toUpperCase()) : ofWord(value);
}

/** Of klog and glog, of Android, of Redis, and of Tornado, which all begin with it. */
function ofStart(head) {
  if (/^[\d[]/.test(head)) {
    if (/^\[. \d/s.test(head)) return ofLetter(head[1]);
    const redis = /^[^ ]+:[XCSM](?= )(.{0,32})/s.exec(head);
    return OF_MARK[/:\d\d\.\d{3} (.) /s.exec(redis?.[1] ?? "")?.[1]] ?? "";
  }
  return /^.(?:(?:\d{4}|\d{8}) \d\d:|\/[\w.-]{2,}[(:])/s.test(head) ? ofLetter(head[0]) : "";
}

/** Of a word in any case by what is around it, or of a letter behind a time. */
function ofForm(head, word, start, end, behindNumbers) {
  const before = head.slice(0, start);
  if (word.length === 1) return behindNumbers && before.endsWith(" ") && head[end] === " " && "FEWIDV".includes(word) ? ofLetter(word) : "";
  const isNumber = /^\d/.test(word);
  const isWide = head.startsWith(":  ", end);
  if (head[end] === " " && before.endsWith("PHP ")) return ofWord(word);
  if (isNumber) return "";
  if (isWide && word === "LOG") return "info";
  const isOne = {
    "]": OPENS.test(before),
    "\t": before.endsWith("\t"),
    " ": /(?:^|\W)\[$/.test(before) && /^ *\]/.test(head.slice(end)),
    ":": isWide || (head[end + 1] === " " && (!before || /[:\]] $/.test(before))),
  }[head[end]];
  if (!isOne) return "";
  return word === "Note" && "]\t".includes(head[end]) ? "info" : ofWord(word);
}

function ofPriority(head) {
  const priority = /^<(\d{1,3})>/.exec(head)?.[1];
  return priority && Number(priority) <= 191 ? ofSyslog(Number(priority) & 7) : "";
}
