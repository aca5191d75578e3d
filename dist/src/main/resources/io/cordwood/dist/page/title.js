// The title of the tab: what is asked, and how many records have come while nobody looked.

import * as answer from "./answer.js";
import { matching } from "./question.js";
import { next } from "./ulid.js";

/** A hidden page, whose tail waits, counts as often. */
const COUNT_MILLIS = 15_000;

let name = "Cordwood";
let news = 0;

function draw() {
  document.title = news ? `(${news.toLocaleString()}) ${name}` : name;
}

export function nameTitle(text) {
  name = text ? `${text} \u00b7 Cordwood` : "Cordwood";
  draw();
}

export function newsInTitle(many) {
  news = many;
  draw();
}

/**
 * Counts what comes to a live page that is not seen.
 *
 * @param question what is asked now
 * @param tail that waits meanwhile
 */
export function countUnseen(question, tail) {
  const waited = () => tail.waiting.length + tail.letGo;
  const count = async () => {
    if (!document.hidden || !question().live || tail.state !== "asleep") return;
    const parameters = matching(question());
    parameters.set("count", "true");
    parameters.set("from", next(tail.after));
    const many = Number(await answer.text("query", parameters).catch(() => NaN));
    if (document.hidden && Number.isFinite(many)) newsInTitle(waited() + many);
    setTimeout(count, COUNT_MILLIS);
  };
  document.addEventListener("visibilitychange", () => document.hidden && setTimeout(count, COUNT_MILLIS));
}
