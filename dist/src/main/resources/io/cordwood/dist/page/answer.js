// Asks the node, and reads what it answers as it comes.

import { pause } from "./dom.js";

/** What a reader is told when there is no answer: in words, and whose fault it is where that is known. */
export class AskError extends Error {
  /** Whether there is no answer at all. */
  isAway = false;

  /** Whether the token is for something else. */
  isScope = false;
}

/** Longer ones are sent as a form: a node takes addresses of up to 16 KiB. */
export const MAX_ADDRESS = 12_000;

/** For so long an answer is read in one go: less than a frame, which has to be drawn, too. */
const PART_MILLIS = 6;

/** Sets parameters, some of which may be set already. */
export function setAll(parameters, changes) {
  for (const [name, value] of Object.entries(changes)) parameters.set(name, value);
}

async function request(path, parameters, signal, method = "GET") {
  const short = `${path}?${parameters}`;
  const options = short.length <= MAX_ADDRESS || method === "HEAD" ? { signal, method } : { signal, method: "POST", body: parameters };
  let response;
  try {
    response = await fetch(options.body ? path : short, options);
  } catch (e) {
    if (signal?.aborted) throw e;
    const error = new AskError(`The node at ${location.host} does not answer. Is it running, and can this machine reach it?`);
    error.isAway = true;
    throw error;
  }
  if (response.ok) return response;
  const said = (await response.text()).trim().replace(/^error: /, "").slice(0, 1000);
  const again = response.headers.get("retry-after");
  const error = new AskError(`${said || `the node answered ${response.status}`}${again ? ` (try again in ${again} s)` : ""}`);
  error.status = response.status;
  error.isScope = response.headers.get("www-authenticate")?.includes("insufficient_scope") ?? false;
  throw error;
}

/** Why a node refuses something, which an `EventSource` does not say; null if it does not. */
export async function refusal(path, parameters) {
  const abort = new AbortController();
  try {
    await request(path, parameters, abort.signal);
    return null;
  } catch (e) {
    return e;
  } finally {
    abort.abort();
  }
}

/** The headers alone, which say what an answer would take. */
export async function headers(path, parameters, signal) {
  return (await request(path, parameters, signal, "HEAD")).headers;
}

/** Text of an answer that comes in one, and its headers. */
export async function text(path, parameters = new URLSearchParams(), signal) {
  const response = await request(path, parameters, signal);
  return response.text();
}

/**
 * Asks for JSON, an object a line, and gives each to a function. What has come is read in parts: between them the page is
 * drawn and hears its reader.
 *
 * @returns the last object, which has the verdict
 */
export async function objects(path, parameters, { signal, each, head = () => {} }) {
  const response = await request(path, parameters, signal);
  head(response.headers);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = [];
  let verdict = null;
  let began = performance.now();
  for (;;) {
    const { value, done } = await readOn(reader, signal);
    if (done) break;
    let from = 0;
    for (let end = value.indexOf("\n"); end >= 0; end = value.indexOf("\n", from)) {
      const line = rest.length ? rest.join("") + value.slice(from, end) : value.slice(from, end);
      rest = [];
      from = end + 1;
      const object = JSON.parse(line);
      if ("verdict" in object) verdict = object;
      else each(object);
      if (performance.now() - began > PART_MILLIS) {
        await pause();
        signal?.throwIfAborted();
        began = performance.now();
      }
    }
    if (from < value.length) rest.push(value.slice(from));
  }
  if (!verdict) throw new AskError("The answer was broken off before its end: the node has ended, or the network is gone. What came is right.");
  return verdict;
}

async function readOn(reader, signal) {
  try {
    return await reader.read();
  } catch (e) {
    if (signal?.aborted) throw e;
    throw new AskError("The answer was broken off: the node has ended, or the network is gone. What came is right.");
  }
}

/**
 * A record as the page keeps it: as little as can be, since there may be a million. `parsed` is what the node finds in it:
 * `level`, `time`, `message`, `fields`; null if the node cannot say. `labels` are its sender's; null if it has none.
 */
export function record({ ulid, topic, record: text, record_base64: bytes, parsed, labels }) {
  return { ulid, topic, text, bytes: bytes ?? null, parsed: parsed ?? null, labels: labels ? shared(labels) : null };
}

/** Equal labels of many records are one object. */
const sets = new Map();
const MAX_SETS = 10_000;

function shared(labels) {
  const key = JSON.stringify(labels);
  if (!sets.has(key)) {
    if (sets.size === MAX_SETS) sets.clear();
    sets.set(key, labels);
  }
  return sets.get(key);
}

/** Whether it is for its version that a node does not answer: behind a proxy may be an older one. It gives records all the same. */
export const knowsNoParsed = error => error?.status === 400 && error.message.startsWith("parameter parsed:");

/** Records of a query; `progress` is told how far the search has come. An error has those that came before it as `found`. */
export async function records(parameters, { signal, progress = () => {} }) {
  const asked = new URLSearchParams(parameters);
  setAll(asked, { format: "json", progress: "true", parsed: "true" });
  const found = [];
  const each = object => {
    if ("ulid" in object) found.push(record(object));
    else if ("progress" in object) progress(object.progress);
  };
  try {
    const verdict = await objects("query", asked, { signal, each }).catch(error => {
      if (!knowsNoParsed(error)) throw error;
      asked.delete("parsed");
      return objects("query", asked, { signal, each });
    });
    return { found, verdict };
  } catch (e) {
    e.found = found;
    throw e;
  }
}
