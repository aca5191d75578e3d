// The page: one question, and all that shows its answer. Each part is a module; here they are joined.

import { AskError } from "./answer.js";
import { button, byId, copy, h, later, menu, say } from "./dom.js";
import { offerChoices } from "./choice.js";
import { ClusterView } from "./cluster.js";
import { detail } from "./detail.js";
import { Feed } from "./feed.js";
import { Fields } from "./fields.js";
import { FLAGS, show as showForm, typed as typedFrom } from "./form.js";
import { marks } from "./highlight.js";
import { Histogram } from "./histogram.js";
import { remember } from "./history.js";
import { fillHelp, listen } from "./keys.js";
import { List } from "./list.js";
import { openMenus } from "./menus.js";
import { Panel } from "./panel.js";
import { levelOf } from "./parse.js";
import { addressOf, asked, labelsOf, MAX_ONLY, ofAddress, toAddress } from "./question.js";
import { HeldRecords } from "./records.js";
import { look, row, spoken } from "./row.js";
import { isLacking, signIn } from "./signin.js";
import * as storage from "./storage.js";
import { nameTopics, suggest } from "./suggest.js";
import { Tail } from "./tail.js";
import * as times from "./times.js";
import { firstOf, timeOf } from "./ulid.js";
import { explained, progressed, together, word } from "./verdict.js";

/** So long after the pointer has moved over records nothing moves below it. */
const STILL_MILLIS = 1500;
const NEAR_PIXELS = 1500;
const AGAIN_MILLIS = 3000;

let question = ofAddress(location.search);
let running = null; // the AbortController of the search that runs
let verdicts = {};
let howFar = null;
let beganMillis = 0;
let tookMillis = 0;
let pointerMillis = 0;

const rows = new HeldRecords();
const list = new List(byId("list"), rows, element);
const histogram = new Histogram(byId("histogram"), {
  zoom: (from, to) => ask({ ...question, from: iso(from), to: iso(to), at: "", live: false }),
  jump: millis => ask({ ...question, at: firstOf(Math.max(0, millis)), live: false }),
  ranged: range => (feed.range = range),
});
const choices = {
  only, not: leaveOut, where, link, span,
  count: name => panel.count(name),
  asked: () => asked(question),
  kept: found => feed.kept(found),
  topic: topic => ask({ ...question, topic }),
  close: record => list.toggle(record),
  labels: () => labelsOf(question),
  show: labels => ask({ ...question, labels: labels.join(",") }),
};
const fields = new Fields(byId("panel-content"), rows, choices);
const feed = new Feed(rows, list, {
  progress: p => { howFar = p; tell(); },
  loaded: verdict => { verdicts.more = together([verdicts.more, verdict]); changed(); },
  changed: () => tell(),
  failed: trouble,
});
const tail = new Tail({ come: letIn, changed: tell });
const cluster = new ClusterView(byId("cluster"));

const iso = millis => new Date(millis).toISOString();

function element(record, isOpen) {
  if (isOpen) return detail(record, choices);
  const made = h("article", { class: "item", "aria-label": spoken(record) }, row(record));
  made.addEventListener("click", () => {
    if (String(getSelection())) return;
    list.select(record, { show: false });
    list.toggle(record);
  });
  return made;
}

// Asking

/** Asks something else, which becomes the page's address. */
function ask(next, { isNew = true } = {}) {
  const before = question;
  question = next.live ? { ...next, to: "", at: "" } : next;
  const address = toAddress(question);
  if (isNew && address !== toAddress(before)) history.pushState(null, "", address);
  if (question.view === "records") remember(toAddress({ ...question, at: "" }));
  show();
  const isSame = except => toAddress({ ...question, ...except }) === toAddress({ ...before, ...except });
  if (isNew && isSame({ view: "" }) && question.view !== before.view) return;
  if (isSame({ view: "", at: "" }) && question.at && histogram.size) search({ recount: false });
  else if (isSame({ view: "", labels: "" }) && question.labels !== before.labels && !running) relabel();
  else if (isSame({ view: "", split: "" }) && question.split !== before.split && !running) countAgain();
  else search({});
}

/** The rows with other labels. */
function relabel() {
  look.labels = labelsOf(question);
  list.redraw();
  fields.look();
}

/** Counts over time, as the histogram is split now. */
async function countOverTime(signal) {
  verdicts.counted = together(await histogram.ask(asked(question), signal, question.split));
}

/** Counts again what is on the page already. */
async function countAgain() {
  const own = (running = new AbortController());
  beganMillis = performance.now();
  verdicts.counted = null;
  tell();
  const error = await countOverTime(own.signal).then(() => null, e => e);
  if (running !== own) return;
  running = null;
  tookMillis = performance.now() - beganMillis;
  if (error && error.name !== "AbortError") trouble(error);
  changed();
}

async function search({ recount = true }) {
  running?.abort();
  tail.stop();
  const own = (running = new AbortController());
  Object.assign(look, { marks: marks(question), topics: false, dates: false, labels: labelsOf(question) });
  verdicts = recount ? {} : { counted: verdicts.counted };
  howFar = null;
  beganMillis = performance.now();
  trouble(null);
  byId("empty").hidden = true;
  const { range } = feed;
  const found = feed.start(question, question.at).then(verdict => (verdicts.listed = verdict)).then(changed);
  if (!recount) feed.range = range;
  const counted = recount ? countOverTime(own.signal) : Promise.resolve();
  tell();
  const ends = await Promise.allSettled([found.then(() => running === own && follow()), counted]);
  if (running !== own) return;
  running = null;
  tookMillis = performance.now() - beganMillis;
  const failed = ends.find(end => end.status === "rejected" && end.reason?.name !== "AbortError");
  if (failed) trouble(failed.reason);
  if (failed && question.live && maySucceed(failed.reason)) searchLater(question);
  changed();
}

/** Whether asking again may help: the node is away, starts, or has too much to do. */
const maySucceed = error => error instanceof AskError && [undefined, 429, 503].includes(error.status);

/** What is followed is searched for until the node answers. */
function searchLater(asked) {
  setTimeout(() => running === null && question === asked && search({}), AGAIN_MILLIS);
}

function stop() {
  running?.abort();
  feed.stop();
  running = null;
  tookMillis = performance.now() - beganMillis;
  say("The search was stopped");
  tell();
}

function only(text) {
  if (!text || question.only.includes(text) || question.q === text) return;
  if (question.only.length >= MAX_ONLY) say(`At most ${MAX_ONLY} texts can be added`);
  else if (!question.q && !question.only.length) ask({ ...question, ...Object.fromEntries(FLAGS.map(flag => [flag, false])), q: text, at: "" });
  else if (question.invert) say("What does not match cannot be narrowed down by what does: take \u00ac away first");
  else ask({ ...question, only: [...question.only, text], at: "" });
}

function leaveOut(text) {
  if (text && !question.not.includes(text)) ask({ ...question, not: [...question.not, text], at: "" });
}

/** One condition more that a record's fields have to meet. */
function where(condition) {
  const all = question.where ? question.where.split(" and ") : [];
  if (condition && !all.includes(condition)) ask({ ...question, where: [...all, condition].join(" and "), at: "" });
}

/** From when to when the page looks, if these are the records that it looks at; nulls if there are none. */
function span(records) {
  if (!records.length) return [null, null];
  const ends = [timeOf(records[0].ulid), timeOf(records.at(-1).ulid)];
  const isAll = feed.range && records.length === rows.size && !feed.more.older && !feed.more.newer;
  const [from, to] = isAll ? feed.range.map(Date.parse) : ends;
  return [Math.min(from, ends[0]), Math.max(to, ends[1])];
}

function link(record) {
  copy(addressOf(toAddress({ ...question, live: false, at: record.ulid })));
}

// Following

function follow() {
  if (!question.live) return;
  const from = question.from ? times.moment(question.from) : null;
  tail.start(question, feed.last ?? (from === null ? null : firstOf(from)));
}

/** Takes what a tail has brought, if nothing that the reader looks at moves by it. */
function letIn() {
  if (!tail.waiting.length) return;
  const mayMove = rows.size === 0 || (list.isAtBottom && !tail.paused && !isLookedAt());
  if (mayMove) takeAll();
  else if (list.isAtBottom && !tail.paused) letInSoon();
  pill();
}

const letInSoon = later(300, letIn);

function isLookedAt() {
  const selection = getSelection();
  const isSelecting = !selection.isCollapsed && byId("list").contains(selection.anchorNode);
  return isSelecting || list.extras.size > 0 || performance.now() - pointerMillis < STILL_MILLIS;
}

function takeAll() {
  const added = feed.follow(tail.drain());
  added.forEach(record => histogram.add(record));
  list.toBottom();
  pill();
  changed();
}

function pill() {
  const many = tail.waiting.length;
  byId("pill").hidden = many === 0;
  byId("pill").textContent = `\u2193 ${many.toLocaleString()} new`;
}

// Telling

function changed() {
  const topics = rows.topics.size > 1;
  const [first, last] = [rows.all[0], rows.all.at(-1)];
  const dates = Boolean(first) && times.date(timeOf(first.ulid)) !== times.date(timeOf(last.ulid));
  const isOther = topics !== look.topics || dates !== look.dates;
  Object.assign(look, { topics, dates });
  byId("list").classList.toggle("with-topics", topics);
  byId("list").classList.toggle("with-dates", dates);
  if (isOther) list.redraw();
  fields.changed();
  tell();
}

function tell() {
  const isRunning = running !== null;
  byId("go").textContent = isRunning ? "Stop" : "Search";
  byId("go").classList.toggle("stops", isRunning);
  const [part, far] = howFar ? progressed(howFar, histogram.counted, performance.now() - beganMillis) : [0, "searching …"];
  byId("progress").hidden = !isRunning;
  if (howFar) byId("progress").value = part;
  else byId("progress").removeAttribute("value");
  byId("said").setAttribute("aria-busy", String(isRunning));
  byId("said").textContent = isRunning ? far : summary();
  byId("live").setAttribute("aria-pressed", String(question.live));
  byId("live").className = question.live ? tail.state : "";
  tellVerdict();
  const isEmpty = !isRunning && !rows.size && byId("trouble").hidden;
  byId("empty").hidden = !isEmpty;
  if (isEmpty) byId("empty").replaceChildren(...nothing());
}

function summary() {
  const total = verdicts.counted ? histogram.total : null;
  const said = [total === null ? "" : `${total.toLocaleString()} ${total === 1 ? "record" : "records"}`];
  if (rows.size && total !== rows.size) said.push(`${rows.size.toLocaleString()} on this page`);
  if (feed.busy.older || feed.busy.newer) said.push("loading more \u2026");
  if (feed.hidden) said.push(`${feed.hidden.toLocaleString()} left out here, which the counts still have`);
  const { older, newer } = rows.letGo;
  if (older + newer) said.push(`${(older + newer).toLocaleString()} were let go for want of memory, and can be loaded again`);
  if (question.live) {
    said.push(tail.paused ? "paused" : tail.trouble || (tail.state === "live" ? "following" : "connecting \u2026"));
    if (tail.letGo) said.push(`${tail.letGo.toLocaleString()} new ones were let go while you looked elsewhere`);
    if (tail.notices.length) said.push(tail.notices.at(-1));
  } else if (tookMillis) said.push(times.span(Math.max(1, tookMillis)));
  return said.filter(Boolean).join(" \u00b7 ");
}

function tellVerdict() {
  const verdict = running ? null : together([verdicts.listed, verdicts.counted, verdicts.more]);
  const badge = byId("badge");
  badge.hidden = !verdict;
  if (!verdict) return;
  badge.textContent = word(verdict);
  badge.className = verdict.verdict !== "complete" ? "bad" : verdict.missing_nodes ? "fair" : "good";
  badge.title = (verdict.missing ?? []).map(m => `${m.tier} ${m.node}: ${m.reason}`).join("\n") || "Whether this is all that there is";
}

function nothing() {
  if (question.q || question.where || question.only.length || question.not.length || question.topic || question.from || question.to) {
    const everywhere = { ...question, from: "", to: "", topic: "", at: "" };
    const isNarrow = question.from || question.to || question.topic;
    return ["No record matches. ", isNarrow && button("Look at all times and topics", () => ask(everywhere))].filter(Boolean);
  }
  return ["There are no records yet. Send some: ", h("code", {}, `echo hello | nc ${location.hostname} 7651`)];
}

function trouble(error) {
  byId("trouble").hidden = !error;
  byId("trouble").textContent = error ? sentence(error.message) : "";
  if (isLacking(error)) signIn();
  if (error) tell();
}

const sentence = text => text.charAt(0).toUpperCase() + text.slice(1);

list.moved = () => {
  if (list.top < NEAR_PIXELS) feed.load("older");
  if (list.total - list.top - list.view < NEAR_PIXELS) feed.load("newer");
  const first = list.firstSeen;
  byId("day").textContent = first ? times.date(timeOf(first.ulid)) : "";
  if (tail.waiting.length && list.isAtBottom && !tail.paused) letInSoon();
};

// The form

function show() {
  showForm(question, ask);
  if (question.view === "cluster") cluster.show();
  else cluster.hide();
}

const typed = () => typedFrom(question);

byId("ask").addEventListener("submit", event => {
  event.preventDefault();
  // Enter in a field is a click on the button, too; and a field that was changed has asked already.
  const isEnter = document.activeElement?.matches("#ask input");
  if (running && !isEnter) stop();
  else if (!running || toAddress(typed()) !== toAddress(question)) ask(typed());
});
for (const flag of FLAGS) byId(flag).addEventListener("click", () => ask({ ...typed(), [flag]: !question[flag] }));
for (const name of ["where", "topic"]) byId(name).addEventListener("change", () => ask(typed()));
byId("range").addEventListener("change", () => {
  byId("custom").hidden = byId("range").value !== "custom";
  if (byId("custom").hidden) ask(typed());
  else byId("from").focus();
});
byId("split").addEventListener("change", () => ask({ ...question, split: byId("split").value }));
byId("live").addEventListener("click", () => does.live());
byId("pill").addEventListener("click", takeAll);
byId("out").addEventListener("click", () => does.out());
byId("zone").addEventListener("click", () => does.zone());
byId("keys").addEventListener("click", () => does.help());
for (const view of ["records", "cluster"]) byId(`view-${view}`).addEventListener("click", () => ask({ ...question, view }));
byId("list").addEventListener("pointermove", () => (pointerMillis = performance.now()));
byId("badge").addEventListener("click", () => {
  menu(byId("badge"), [explained(together([verdicts.listed, verdicts.counted, verdicts.more]))]);
});

// Raw

/** Whether rows begin with what records say, or have them as they are written. */
function raw(isRaw) {
  look.raw = isRaw;
  byId("raw").setAttribute("aria-pressed", String(isRaw));
  storage.keep("raw", String(isRaw));
  list.redraw();
}

byId("raw").addEventListener("click", () => does.raw());

// Keys

const does = {
  ask: () => byId("q").select(),
  down: () => list.step(1),
  up: () => list.step(-1),
  open: () => list.selected && list.toggle(list.selected),
  context: () => {
    if (!list.selected) return;
    if (!list.isOpen(list.selected)) list.toggle(list.selected);
    list.elements.get(list.selected)?.widen();
  },
  error: () => seek(1),
  errorBefore: () => seek(-1),
  first: () => { list.toTop(); list.selected = null; list.step(1); },
  last: () => { if (tail.waiting.length) takeAll(); list.toBottom(); list.select(rows.all.at(-1) ?? null); },
  live: () => ask({ ...typed(), live: !question.live }),
  pause: () => {
    if (!question.live) return;
    tail.paused = !tail.paused;
    letIn();
    tell();
  },
  out: widen,
  raw: () => raw(!look.raw),
  fields: () => panel.toggle(),
  link: () => list.selected && link(list.selected),
  zone: () => {
    times.setUtc(!times.isUtc());
    show();
    histogram.draw();
    changed();
    list.redraw();
  },
  help: () => byId("help").showModal(),
  escape: event => {
    if (event.target.closest?.("input")) byId("list").focus({ preventScroll: true });
    else if (running) stop();
    else if (list.selected && list.isOpen(list.selected)) list.toggle(list.selected);
    else list.select(null);
  },
};

function seek(by) {
  let at = (list.selected ? rows.placeOf(list.selected) : list.indexAt(list.top) - 1) + by;
  while (at >= 0 && at < rows.size && levelOf(rows.all[at]) !== "error") at += by;
  if (rows.all[at]) list.select(rows.all[at]);
  else if (!rows.all.every(record => record.parsed)) say("The node says no levels of these records: it is of an older version");
  else say(by > 0 ? "No error behind this on the page" : "No error before this on the page");
}

/** Three times the range, up to now. */
function widen() {
  const [from, to] = [question.from ? times.moment(question.from) : null, question.to ? times.moment(question.to) : Date.now()];
  if (from === null || to === null) return ask({ ...question, from: "", to: "", at: "" });
  const whole = millis => Math.round(millis / 1000) * 1000;
  const [wider, end] = [Math.max(0, whole(from - (to - from))), whole(to + (to - from))];
  return ask({ ...question, from: iso(wider), to: end >= Date.now() ? "" : iso(end), at: "" });
}

addEventListener("popstate", () => ask(ofAddress(location.search), { isNew: false }));
fillHelp(byId("help"));
listen(does);
raw(storage.kept("raw") === "true");
const panel = new Panel(fields);
show();
remember(toAddress({ ...question, at: "" }));
search({});
nameTopics();
suggest(rows);
openMenus({ question: () => question, ask, rows });
offerChoices(choices);
