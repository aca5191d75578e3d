// A question that is asked: its records, its counts over time, how far both have come, and what came of them.

import { AskError } from "./answer.js";
import { asked } from "./question.js";
import { usualSplit } from "./split.js";
import { together } from "./verdict.js";

const AGAIN_MILLIS = 3000;

/** For so long records have the node for themselves: what is seen first is not to wait for counts. */
const HEAD_START_MILLIS = 250;

export class Search {
  /**
   * @param does `began(isNew)`, false if only counts are asked for; `found()` when the records are there; `split(name)`, by what the
   * histogram is split; `ended(error)`, null if none
   */
  constructor(feed, histogram, does) {
    Object.assign(this, { feed, histogram, does, question: null, running: null, verdicts: {}, howFar: null, tookMillis: 0, wasStopped: false, retry: 0, headStart: null });
    addEventListener("online", () => this.retry && this.ask(this.question));
  }

  get isRunning() {
    return this.running !== null;
  }

  /** Whether it is asked again by itself: the node did not answer. */
  get isTryingAgain() {
    return this.retry !== 0;
  }

  /** Whether what is seen is of the question before. */
  get isStale() {
    return this.feed.isStale;
  }

  get verdict() {
    return this.isRunning ? null : together([this.verdicts.listed, this.verdicts.counted, this.verdicts.more]);
  }

  /** What more records of the same question say. */
  more(verdict) {
    this.verdicts.more = together([this.verdicts.more, verdict]);
  }

  async ask(question, { recount = true } = {}) {
    const own = this.begin(question, recount ? {} : { counted: this.verdicts.counted });
    const { range } = this.feed;
    const found = this.feed.start(question, question.at).then(verdict => {
      this.verdicts.listed = verdict;
      if (this.running === own) this.does.found();
    });
    if (!recount) this.feed.range = range;
    this.does.began(true);
    this.headStart = Promise.race([found.catch(() => {}), new Promise(over => setTimeout(over, HEAD_START_MILLIS))]);
    await this.end(own, [found, recount ? this.countOverTime(question, own.signal) : Promise.resolve()]);
  }

  /** Counts again what is on the page already, as the histogram is split now. */
  async countAgain(question) {
    const own = this.begin(question, { ...this.verdicts, counted: null });
    this.does.began(false);
    await this.end(own, [this.countOverTime(question, own.signal)]);
  }

  begin(question, verdicts) {
    this.running?.abort();
    clearTimeout(this.retry);
    Object.assign(this, { question, running: new AbortController(), verdicts, howFar: null, beganMillis: performance.now(), wasStopped: false, retry: 0 });
    return this.running;
  }

  async countOverTime(question, signal) {
    const split = question.split || (await usualSplit(asked(question), signal));
    if (!signal.aborted) this.does.split(split);
    await this.headStart;
    signal.throwIfAborted();
    this.verdicts.counted = together(await this.histogram.ask(asked(question), signal, split));
  }

  async end(own, parts) {
    const ends = await Promise.allSettled(parts);
    if (this.running !== own) return;
    this.finish();
    const error = ends.find(end => end.status === "rejected" && end.reason?.name !== "AbortError")?.reason ?? null;
    if (error && maySucceed(error, this.question)) this.retry = setTimeout(() => this.ask(this.question), AGAIN_MILLIS);
    this.does.ended(error);
  }

  finish() {
    this.running = null;
    this.tookMillis = performance.now() - this.beganMillis;
  }

  stop() {
    this.running?.abort();
    this.feed.stop();
    this.feed.arrive();
    this.histogram.arrive();
    this.finish();
    this.wasStopped = true;
  }
}

/** Whether asking again may help: the node is away; and what is followed also if it starts, or has too much to do. */
const maySucceed = (error, { live }) => error instanceof AskError && (error.isAway || (live && [undefined, 429, 503].includes(error.status)));
