// The line above the records: what is searched, what came of it, and whether that is all.

import { button, byId, menu } from "./dom.js";
import { isLacking, isOfOtherScope, signIn } from "./signin.js";
import * as times from "./times.js";
import { explained, progressed, word } from "./verdict.js";

/** Says how a search goes, or went. */
export function tellSearch(page) {
  const { search, histogram } = page;
  const { isRunning } = search;
  byId("go").textContent = isRunning ? "Stop" : "Search";
  byId("go").classList.toggle("stops", isRunning);
  byId("list").classList.toggle("stale", search.isStale);
  byId("progress").hidden = !isRunning;
  const far = search.howFar && progressed(search.howFar, histogram.counted, performance.now() - search.beganMillis);
  if (far) byId("progress").value = far[0];
  else byId("progress").removeAttribute("value");
  byId("said").setAttribute("aria-busy", String(isRunning));
  byId("said").textContent = isRunning ? far?.[1] ?? "searching \u2026" : summary(page);
  tellVerdict(search.verdict);
}

function summary({ search, histogram, rows, feed, tail, question }) {
  const total = search.verdicts.counted ? histogram.total : null;
  const said = [total === null ? "" : `${total.toLocaleString()} ${total === 1 ? "record" : "records"}`];
  if (rows.size && total !== rows.size) said.push(`${rows.size.toLocaleString()} on this page`);
  if (feed.busy.older || feed.busy.newer) said.push("loading more \u2026");
  if (feed.hidden) said.push(`${feed.hidden.toLocaleString()} left out here, which the counts still have`);
  const { older, newer } = rows.letGo;
  if (older + newer) said.push(`${(older + newer).toLocaleString()} were let go for want of memory, and can be loaded again`);
  if (question.live) said.push(...followed(tail, search.isTryingAgain));
  else if (search.tookMillis && !search.isTryingAgain) said.push(times.span(Math.max(1, search.tookMillis)));
  return said.filter(Boolean).join(" \u00b7 ");
}

function followed(tail, isTryingAgain) {
  const said = [tail.paused ? "paused" : tail.trouble || (tail.state === "live" ? "following" : isTryingAgain ? "" : "connecting \u2026")];
  if (tail.letGo) said.push(`${tail.letGo.toLocaleString()} new ones were let go while you looked elsewhere`);
  return [...said, tail.notices.at(-1)];
}

function tellVerdict(verdict) {
  const badge = byId("badge");
  badge.hidden = !verdict;
  if (!verdict) return;
  badge.textContent = word(verdict);
  badge.className = verdict.verdict !== "complete" ? "bad" : verdict.missing_nodes ? "fair" : "good";
  badge.title = (verdict.missing ?? []).map(m => `${m.tier} ${m.node}: ${m.reason}`).join("\n") || "Whether this is all that there is";
}

/** Explains the verdict below its badge. */
export function openVerdict(search) {
  byId("badge").addEventListener("click", () => menu(byId("badge"), [explained(search.verdict)]));
}

/** Says what is wrong, and what helps; null: nothing is. */
export function tellTrouble(error, isTryingAgain) {
  byId("trouble").hidden = !error;
  if (!error) return;
  const isToken = [401, 403].includes(error.status);
  byId("trouble").replaceChildren(
    sentence(error.message) + (isTryingAgain ? " Trying again \u2026" : ""),
    ...(isToken ? [" ", button("Sign in with another token", () => signIn(error))] : []));
  if (isLacking(error) || isOfOtherScope(error)) signIn(error);
}

const sentence = text => text.charAt(0).toUpperCase() + text.slice(1);
