// Brings records to the page: the newest ones, those around a moment, older and newer ones as the reader moves.

import { records, setAll } from "./answer.js";
import { asked, leftOutHere } from "./question.js";
import { moment } from "./times.js";
import { firstOf, next, previous } from "./ulid.js";

const FIRST = 1000;
const MORE = 5000;

/** After a failure, or a limit that let nothing be found, the next try waits, however much the reader scrolls. */
const PAUSE_MILLIS = 2000;

/** Whether there may be more than an answer has: it is as long as was asked for, or a limit has ended it. */
const isCut = ({ found, verdict }, asked) => found.length === asked || Boolean(verdict.stopped);

export class Feed {
  /**
   * @param does `progress(how far)`, `arrived()` when rows are of another question, `loaded(verdict)`, `changed()` when
   * something has begun or ended, `failed(error)`
   */
  constructor(rows, list, does) {
    Object.assign(this, { rows, list, does, hidden: 0, range: null, isStale: false });
    this.stop();
  }

  stop() {
    this.abort?.abort();
    this.abort = null;
    this.busy = { older: false, newer: false };
    this.more = { older: false, newer: false };
    this.notBefore = { older: 0, newer: 0 };
  }

  /** Begins anew with a question, at its newest records or around a moment. The rows of before stay until these come. */
  async start(question, around) {
    this.stop();
    this.question = question;
    this.not = leftOutHere(question);
    this.range = null;
    this.isStale = true;
    this.abort = new AbortController();
    return around ? this.around(around) : this.newest();
  }

  /** What is seen is of this question from now on. */
  arrive() {
    if (!this.isStale) return;
    this.isStale = false;
    this.hidden = 0;
    this.rows.clear();
    this.list.reset(true);
    this.does.arrived();
  }

  parameters(changes) {
    const parameters = asked(this.question);
    // What is relative moves on; all parts of an answer are to be of the same range.
    if (this.range) {
      if (this.question.from) parameters.set("from", this.range[0]);
      if (this.question.to) parameters.set("to", this.range[1]);
    }
    setAll(parameters, changes);
    return parameters;
  }

  async get(changes) {
    const { signal } = this.abort;
    try {
      const answer = await records(this.parameters(changes), { signal, progress: p => this.does.progress(p) });
      signal.throwIfAborted();
      return answer;
    } catch (e) {
      if (!signal.aborted && this.isStale) {
        this.arrive();
        this.list.change(() => this.rows.append(this.wanted(e.found ?? [])));
      }
      throw e;
    }
  }

  /** Those of some records that the page does not leave out. */
  kept(found) {
    return found.filter(record => !this.not.some(text => record.text.includes(text)));
  }

  wanted(found) {
    if (!this.not.length) return found;
    const left = this.kept(found);
    this.hidden += found.length - left.length;
    return left;
  }

  async newest() {
    const answer = await this.get({ last: FIRST });
    const { found, verdict } = answer;
    this.arrive();
    this.rows.append(this.wanted(found));
    this.more = { older: isCut(answer, FIRST), newer: false };
    this.edges(found);
    this.list.reset(true);
    return verdict;
  }

  async around(ulid) {
    const behind = await this.get({ limit: FIRST, from: ulid });
    const before = this.isBeforeRange(previous(ulid)) ? { found: [], verdict: behind.verdict } : await this.get({ last: FIRST / 2, to: previous(ulid) });
    this.arrive();
    this.rows.append(this.wanted(before.found));
    this.rows.append(this.wanted(behind.found));
    this.more = { older: isCut(before, FIRST / 2), newer: isCut(behind, FIRST) };
    this.edges([...before.found, ...behind.found]);
    this.list.reset(false);
    const record = this.rows.at(Math.min(this.rows.placeOf({ ulid, topic: "" }), this.rows.size - 1));
    if (record) {
      this.list.top = Math.max(0, this.list.yOf(this.list.placeOf(record)) - this.list.view / 3);
      this.list.select(record, { show: false });
    }
    return before.verdict.verdict === "complete" ? behind.verdict : before.verdict;
  }

  /** Nothing before the range is asked for: a range that ends before its begin is an error. */
  isBeforeRange(ulid) {
    const from = !this.question.from ? null : this.range ? Date.parse(this.range[0]) : moment(this.question.from);
    return from !== null && ulid < firstOf(from);
  }

  edges(found) {
    if (found.length) [this.first, this.last] = [found[0].ulid, found.at(-1).ulid];
    else [this.first, this.last] = [null, null];
  }

  /** Loads more at an end of the list, when the reader comes near it. */
  async load(end) {
    if (!this.more[end] || this.busy[end] || !this.abort || !this.first || performance.now() < this.notBefore[end]) return;
    const isOlder = end === "older";
    if (isOlder && this.isBeforeRange(previous(this.first))) {
      this.more.older = false;
      return;
    }
    this.busy[end] = true;
    this.does.changed();
    const { abort } = this;
    try {
      const answer = await this.get(isOlder ? { last: MORE, to: previous(this.first) } : { limit: MORE, from: next(this.last) });
      const { found, verdict } = answer;
      this.more[end] = isCut(answer, MORE);
      this.wait(end, !found.length);
      if (found.length) this[isOlder ? "first" : "last"] = isOlder ? found[0].ulid : found.at(-1).ulid;
      this.list.change(() => {
        const letGo = isOlder ? this.rows.prepend(this.wanted(found)) : this.rows.append(this.wanted(found));
        if (letGo) this.reopenEdge(isOlder ? "newer" : "older");
      });
      this.does.loaded(verdict);
    } catch (e) {
      if (!abort.signal.aborted) this.does.failed(e);
      this.wait(end, true);
    }
    if (this.abort === abort) this.busy[end] = false;
    this.does.changed();
  }

  wait(end, isLong) {
    this.notBefore[end] = isLong ? performance.now() + PAUSE_MILLIS : 0;
  }

  /** What was let go at an end can be loaded there again. */
  reopenEdge(end) {
    this.more[end] = true;
    if (end === "newer") this.last = this.rows.at(-1).ulid;
    else this.first = this.rows.at(0).ulid;
  }

  /** What a tail brings goes behind the rest; returns what was not there yet. */
  follow(records) {
    const added = [];
    this.list.change(() => {
      if (this.rows.append(this.wanted(records), added)) this.reopenEdge("older");
    });
    if (records.length) this.last = records.at(-1).ulid;
    this.first ??= this.rows.at(0)?.ulid ?? null;
    return added;
  }
}
