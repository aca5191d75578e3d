// The page: one question, and all that shows its answer. Each part is a module; here they are joined.

import { alertsView } from "./alerts.js";
import { byId, copy, h, later, menu, say } from "./dom.js";
import { offerChoices } from "./choice.js";
import { clusterView } from "./cluster.js";
import { columnsLeftOut, columnsOf, columnsText, MAX_COLUMNS } from "./columns.js";
import { detail } from "./detail.js";
import { Feed } from "./feed.js";
import { Fields } from "./fields.js";
import { Follow } from "./follow.js";
import { FLAGS, listenToForm, show as showForm, typed as typedFrom } from "./form.js";
import { marks } from "./highlight.js";
import { Heads } from "./heads.js";
import { Histogram } from "./histogram.js";
import { remember } from "./history.js";
import { fillHelp, listen } from "./keys.js";
import { loadLinks } from "./links.js";
import { List } from "./list.js";
import { openMenus } from "./menus.js";
import { isNarrow, noRecords, nothingFound } from "./nothing.js";
import { Panel } from "./panel.js";
import { levelOf } from "./parse.js";
import { absolute, addressOf, asked, columnsIn, LOOKS, MAX_ONLY, ofAddress, toAddress, VIEWS } from "./question.js";
import { HeldRecords } from "./records.js";
import { look, row, spoken } from "./row.js";
import { Search } from "./search.js";
import { Side } from "./side.js";
import { openVerdict, tellSearch, tellTrouble } from "./status.js";
import * as storage from "./storage.js";
import { nameTopics, offerSplits, showSplit, suggest } from "./suggest.js";
import * as times from "./times.js";
import { countUnseen } from "./title.js";
import { firstOf, timeOf } from "./ulid.js";

const NEAR_PIXELS = 1500;

let question = ofAddress(location.search);

const rows = new HeldRecords();
const list = new List(byId("list"), rows, element);
const histogram = new Histogram(byId("histogram"), {
  zoom: (from, to) => ask({ ...question, from: times.iso(from), to: times.iso(to), at: "", live: false }),
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
  around: record => list.reveal(record, true),
  isNewestFirst: () => list.isNewestFirst,
  before: record => rows.placeOf(record) ? rows.at(rows.placeOf(record) - 1) : null,
  isColumn: name => look.columns.some(each => each.name === name),
  column: turnColumn,
  lacking,
};
const fields = new Fields(byId("panel-content"), rows, choices);
const feed = new Feed(rows, list, {
  progress: p => { search.howFar = p; tell(); },
  arrived: () => Object.assign(look, { marks: marks(question), topics: false, dates: false }),
  loaded: verdict => {
    search.more(verdict);
    tellTrouble(null);
    if (look.delta) list.redraw();
    changed();
  },
  changed: () => tell(),
  failed: error => { tellTrouble(error); tell(); },
});
const search = new Search(feed, histogram, { began, found, ended, split: showSplit });
const follow = new Follow({ rows, list, feed, histogram, changed, tell });
const views = { cluster: clusterView(), alerts: alertsView() };
const heads = new Heads(byId("heads"), columns => ask({ ...question, columns: columnsText(columns) }));

function element(record, isOpen) {
  if (isOpen) return detail(record, choices);
  const made = h("article", { class: "item", "aria-label": spoken(record) }, row(record, { before: look.delta ? choices.before(record) : null }));
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
  if (isSame({ view: "", ...LOOKS }) && !isSame({ view: "" })) arrange();
  else if (isSame({ view: "", at: "" }) && question.at && histogram.size) searchNow({ recount: false });
  else if (isSame({ view: "", split: "" }) && question.split !== before.split && !search.isRunning) search.countAgain(question);
  else searchNow({});
}

/** The same records, shown in another way. */
function arrange() {
  Object.assign(look, { columns: columnsOf(question.columns), delta: question.delta });
  list.arrange({ isNewestFirst: question.newestFirst, isWrapped: question.wrap });
  heads.show(look);
  fields.look();
  follow.pill();
}

/** Makes a field a column, or takes that away. */
function turnColumn(name) {
  const { columns } = look;
  const others = columns.filter(each => each.name !== name);
  if (others.length === MAX_COLUMNS) say(`At most ${MAX_COLUMNS} columns are shown`);
  else ask({ ...question, columns: columnsText(others.length < columns.length ? others : [...columns, { name }]) });
}

function sayColumnsLeftOut() {
  const many = columnsLeftOut(columnsIn(new URLSearchParams(location.search)));
  if (many) say(`At most ${MAX_COLUMNS} columns are shown; ${many.toLocaleString()} are left out`);
}

function searchNow(how) {
  tellTrouble(null);
  search.ask(question, how);
}

function began(isNew) {
  if (isNew) follow.stop();
  fields.look();
  tell();
}

function found() {
  changed();
  if (question.live) follow.start(question);
}

function ended(error) {
  tellTrouble(error, search.isTryingAgain);
  if (!rows.size && question.topic) nameTopics().then(tell);
  changed();
}

function stop() {
  search.stop();
  say("The search was stopped");
  changed();
}

function only(text) {
  if (!text || question.only.includes(text) || question.q === text) return;
  if (question.only.length >= MAX_ONLY) say(`At most ${MAX_ONLY} texts can be added`);
  else if (!question.q && !question.only.length) ask({ ...question, ...Object.fromEntries(FLAGS.map(flag => [flag, false])), literal: true, q: text, at: "" });
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

/** Why there are no records to look at; "" if there are some. */
function lacking() {
  if (search.isStale) return "Searching \u2026";
  if (rows.size) return "";
  if (!byId("trouble").hidden) return "The search has failed: there is nothing to look at.";
  return search.wasStopped ? "The search was stopped: there is nothing to look at." : "No record matches: there is nothing to look at.";
}

function link(record) {
  copy(addressOf(toAddress({ ...absolute({ ...question, live: false }, feed.range), at: record.ulid })));
}

// Telling

const offerSoon = later(300, () => document.activeElement === byId("split") || offerSplits(rows));

function changed() {
  const topics = rows.topics.size > 1;
  const [first, last] = [rows.at(0), rows.at(-1)];
  const dates = Boolean(first) && times.date(timeOf(first.ulid)) !== times.date(timeOf(last.ulid));
  const isOther = topics !== look.topics || dates !== look.dates;
  Object.assign(look, { topics, dates });
  byId("found").classList.toggle("with-dates", dates);
  if (isOther) {
    heads.show(look);
    list.redraw();
  }
  fields.changed();
  side.changed();
  offerSoon();
  tell();
}

function tell() {
  const { tail } = follow;
  tellSearch({ search, histogram, rows, feed, tail, question });
  byId("live").setAttribute("aria-pressed", String(question.live));
  byId("live").className = question.live ? tail.state : "";
  const isEmpty = !search.isRunning && !rows.size && byId("trouble").hidden;
  byId("empty").hidden = !isEmpty;
  if (isEmpty) byId("empty").replaceChildren(...nothing());
}

function nothing() {
  if (search.wasStopped) return ["The search was stopped before anything was found."];
  return isNarrow(question) ? nothingFound(question, { ask, widen }) : noRecords();
}

list.moved = () => {
  const [above, below] = list.isNewestFirst ? ["newer", "older"] : ["older", "newer"];
  if (list.top < NEAR_PIXELS) feed.load(above);
  if (list.total - list.top - list.view < NEAR_PIXELS) feed.load(below);
  const first = list.firstSeen;
  byId("day").textContent = first ? times.date(timeOf(first.ulid)) : "";
  follow.letInIfStill();
};

// The form

function show() {
  showForm(question, ask);
  for (const [name, view] of Object.entries(views)) if (name === question.view) view.show(); else view.hide();
  side.look();
}

const typed = () => typedFrom(question);

byId("zone").addEventListener("click", () => does.zone());
byId("keys").addEventListener("click", () => does.help());
for (const view of VIEWS) byId(`view-${view}`).addEventListener("click", () => ask({ ...question, view }));

// Raw

/** Whether rows begin with what records say, or have them as they are written. */
function raw(isRaw) {
  look.raw = isRaw;
  byId("raw").setAttribute("aria-pressed", String(isRaw));
  storage.keep("raw", String(isRaw));
  list.redraw();
}

byId("raw").addEventListener("click", () => does.raw());

function log(isLog) {
  histogram.scale(isLog);
  storage.keep("log", String(isLog));
}

byId("looks").addEventListener("click", () => {
  const entry = (isOn, text, act) => [`${isOn ? "\u2713" : "\u2003"} ${text}`, act];
  menu(byId("looks"), [
    entry(question.newestFirst, "Newest first (n)", does.order),
    entry(question.wrap, "Wrap long rows (w)", does.wrap),
    entry(question.delta, "Time since the row before (d)", does.delta),
    entry(histogram.isLog, "Logarithmic histogram (l)", does.log),
  ]);
});

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
  first: () => list.go(rows.at(0) ?? null),
  last: () => {
    if (follow.tail.waiting.length) follow.takeAll();
    list.go(rows.at(-1) ?? null);
  },
  live: () => ask({ ...typed(), live: !question.live }),
  pause: () => question.live && follow.pause(),
  out: widen,
  raw: () => raw(!look.raw),
  order: () => ask({ ...question, newestFirst: !question.newestFirst }),
  wrap: () => ask({ ...question, wrap: !question.wrap }),
  delta: () => ask({ ...question, delta: !question.delta }),
  log: () => log(!histogram.isLog),
  fields: () => panel.toggle(),
  side: () => side.toggle(),
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
    else if (search.isRunning) stop();
    else if (list.selected && list.isOpen(list.selected)) list.toggle(list.selected);
    else list.select(null);
  },
};

function seek(by) {
  let at = (list.selected ? list.placeOf(list.selected) : list.indexAt(list.top) - 1) + by;
  while (at >= 0 && at < rows.size && levelOf(list.at(at)) !== "error") at += by;
  if (list.at(at)) list.select(list.at(at));
  else if ([...rows].some(record => !record.parsed)) say("The node says no levels of these records: it is of an older version");
  else say(by > 0 ? "No error behind this on the page" : "No error before this on the page");
}

/** Three times the range, up to now. */
function widen() {
  const [from, to] = [question.from ? times.moment(question.from) : null, question.to ? times.moment(question.to) : Date.now()];
  if (from === null || to === null) return ask({ ...question, from: "", to: "", at: "" });
  const whole = millis => Math.round(millis / 1000) * 1000;
  const [wider, end] = [Math.max(0, whole(from - (to - from))), whole(to + (to - from))];
  return ask({ ...question, from: times.iso(wider), to: end >= Date.now() ? "" : times.iso(end), at: "" });
}

addEventListener("popstate", () => ask(ofAddress(location.search), { isNew: false }));
fillHelp(byId("help"));
listen(does);
listenToForm({ question: () => question, ask, typed, stop, does, isRunning: () => search.isRunning });
raw(storage.kept("raw") === "true");
log(storage.kept("log") === "true");
const panel = new Panel(fields);
const side = new Side({ ...choices, question: () => question, headStart: () => search.headStart, ask, renamed: () => showForm(question, ask) }, rows);
countUnseen(() => question, follow.tail);
show();
arrange();
sayColumnsLeftOut();
loadLinks();
remember(toAddress({ ...question, at: "" }));
searchNow({});
nameTopics();
suggest(rows);
openMenus({ question: () => question, range: () => feed.range, ask, rows });
openVerdict(search);
offerChoices(choices);
