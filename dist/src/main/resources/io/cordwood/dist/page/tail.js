// Records as the node receives them. Nothing moves under the reader's pointer: what comes then waits.

import { knowsNoParsed, MAX_ADDRESS, record, refusal } from "./answer.js";
import { matching } from "./question.js";
import { LEAST } from "./ulid.js";

/** What waits while the reader looks elsewhere; older ones are let go and counted. */
const MAX_WAITING = 100_000;
const RETRY_MILLIS = 3000;

/** What asking again changes nothing of: a mistake, or a token that is lacking. */
const FINAL = [400, 401, 403, 404];

export class Tail {
  /**
   * @param does `come(records)` takes what is due, `changed()` hears that something else has changed
   */
  constructor(does) {
    this.does = does;
    this.source = null;
    this.clear();
    document.addEventListener("visibilitychange", () => this.isOn && (document.hidden ? this.sleep() : this.state === "asleep" && this.connect()));
  }

  clear() {
    Object.assign(this, { waiting: [], letGo: 0, notices: [], paused: false, state: "off", trouble: "", retry: 0 });
  }

  get isOn() {
    return this.state !== "off";
  }

  /**
   * Follows what comes behind a ULID.
   *
   * @param after null for all that there is
   */
  start(question, after) {
    this.stop();
    this.clear();
    this.parameters = matching(question);
    this.parameters.set("format", "sse");
    this.parameters.set("parsed", "true");
    this.after = after ?? LEAST;
    if (String(this.parameters).length > MAX_ADDRESS) {
      this.trouble = "This query is too long to be followed.";
      this.does.changed();
      return;
    }
    this.connect();
  }

  /** A page that is not seen holds no connection, of which browsers have six to a node; it goes on where it was. */
  sleep() {
    this.source?.close();
    clearTimeout(this.retry);
    this.turn("asleep", "A tail waits until this page is seen.");
  }

  connect() {
    if (document.hidden) return this.sleep();
    const parameters = new URLSearchParams(this.parameters);
    parameters.set("from_ulid", this.after);
    const source = new EventSource(`stream?${parameters}`);
    this.source = source;
    Object.assign(this, { state: "connecting", trouble: "" });
    source.onopen = () => this.turn("live", "");
    source.onmessage = event => this.take(record(JSON.parse(event.data)), event.lastEventId);
    source.addEventListener("notice", event => {
      this.notices.push(JSON.parse(event.data).notice);
      this.notices = this.notices.slice(-20);
      this.does.changed();
    });
    source.onerror = () => {
      this.turn("connecting", "The node does not answer; trying again.");
      if (source.readyState === EventSource.CLOSED) this.again(source, parameters);
    };
    this.does.changed();
  }

  /** Says why the node has refused, and tries again where that may help. */
  async again(source, parameters) {
    const error = await refusal("stream", parameters);
    if (this.source !== source || this.state === "asleep") return;
    if (knowsNoParsed(error) && this.parameters.has("parsed")) {
      this.parameters.delete("parsed");
      return this.connect();
    }
    if (FINAL.includes(error?.status)) return this.turn("refused", error.message);
    if (error?.status) this.turn("connecting", `${error.message}; trying again.`);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.source === source && this.connect(), RETRY_MILLIS);
  }

  turn(state, trouble) {
    this.state = state;
    this.trouble = trouble;
    this.does.changed();
  }

  take(record, position) {
    if (position) this.after = position;
    this.waiting.push(record);
    if (this.waiting.length > MAX_WAITING * 1.1) {
      this.letGo += this.waiting.length - MAX_WAITING;
      this.waiting = this.waiting.slice(-MAX_WAITING);
    }
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.does.come();
    });
  }

  /** All that waits, which is the caller's from now on. */
  drain() {
    const all = this.waiting;
    this.waiting = [];
    return all;
  }

  stop() {
    this.source?.close();
    this.source = null;
    clearTimeout(this.retry);
    Object.assign(this, { state: "off", trouble: "", waiting: [] });
  }
}
