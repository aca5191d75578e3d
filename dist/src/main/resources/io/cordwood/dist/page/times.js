// Times as the reader sees and types them: in the zone of the browser, or in UTC.

import { keep, kept } from "./storage.js";

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const TIME = String.raw`(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?`;
const DATE = new RegExp(`^(\\d{4})-(\\d\\d?)-(\\d\\d?)(?:[T ]${TIME})?$`);
const DAY = new RegExp(`^(today|yesterday|tomorrow)?(?:(?:^| +)${TIME})?$`);
const DAYS = { yesterday: -1, tomorrow: 1 };
const AGO = /^(?:now)?-?((?:\d+(?:ms|[smhdw]))+)(?: ago)?$/;

let utc = kept("utc") === "true";

export const isUtc = () => utc;

export function setUtc(value) {
  utc = value;
  keep("utc", String(value));
}

/** A moment as the API has it, in UTC. */
export const iso = millis => new Date(millis).toISOString();

const two = n => String(n).padStart(2, "0");

function parts(millis) {
  const t = new Date(millis);
  return utc
    ? [t.getUTCFullYear(), t.getUTCMonth() + 1, t.getUTCDate(), t.getUTCHours(), t.getUTCMinutes(), t.getUTCSeconds(), t.getUTCMilliseconds()]
    : [t.getFullYear(), t.getMonth() + 1, t.getDate(), t.getHours(), t.getMinutes(), t.getSeconds(), t.getMilliseconds()];
}

export function date(millis) {
  const [y, m, d] = parts(millis);
  return `${y}-${two(m)}-${two(d)}`;
}

export function clock(millis) {
  const [, , , h, m, s, ms] = parts(millis);
  return `${two(h)}:${two(m)}:${two(s)}.${String(ms).padStart(3, "0")}`;
}

/** Date and time of day, as far as they say something. */
export function text(millis) {
  const [, , , h, m, s, ms] = parts(millis);
  const seconds = ms ? `:${two(s)}.${String(ms).padStart(3, "0")}` : s ? `:${two(s)}` : "";
  return h || m || seconds ? `${date(millis)} ${two(h)}:${two(m)}${seconds}` : date(millis);
}

/** The same to the second. */
export const textOfSecond = millis => text(Math.floor(millis / 1000) * 1000);

/** From when to when, to the second; the second day only if it is another one. */
export function range(from, to) {
  const end = textOfSecond(to);
  const day = `${date(from)} `;
  return `${textOfSecond(from)} to ${end.startsWith(day) ? end.slice(day.length) : end}`;
}

/** The same time of day, a day before; days are 23 or 25 hours long when clocks change. */
export function dayBefore(millis) {
  const [y, mo, d, h, m, s, ms] = parts(millis);
  return ofParts(y, mo, d - 1, h, m, s, ms);
}

/** The name of the zone that times are shown in. */
export function zone() {
  return utc ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone ?? "local time";
}

/** Ticks for an axis: at most so many [millis, label]. */
export function ticks(from, to, most) {
  const steps = [1, 5, 10, 50, 100, 500, 1000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000, 10_800_000,
    21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 2_592_000_000, 31_536_000_000];
  const step = steps.find(s => (to - from) / s <= most) ?? (to - from) / most;
  const found = [];
  let at = aligned(from, from, step, Math.ceil);
  while (at <= to) {
    found.push([at, label(at, step)]);
    at = aligned(at + step, at + step, step, Math.round); // Clocks may have changed since.
  }
  return found;
}

/** A moment at which clocks show a multiple of a step, as they go at another one. */
function aligned(millis, then, step, round) {
  const shift = utc ? 0 : new Date(then).getTimezoneOffset() * 60_000;
  return round((millis - shift) / step) * step + shift;
}

function label(millis, step) {
  const [, mo, d, h, m, s, ms] = parts(millis);
  if (step >= 86_400_000 || (h === 0 && m === 0 && step >= 60_000)) return `${two(mo)}-${two(d)}`;
  if (step >= 60_000) return `${two(h)}:${two(m)}`;
  return step >= 1000 ? `${two(h)}:${two(m)}:${two(s)}` : `:${two(s)}.${String(ms).padStart(3, "0")}`;
}

/** A length of time in a word. */
export function span(millis) {
  for (const [unit, size] of Object.entries(UNITS).reverse().filter(([u]) => u !== "w")) {
    if (millis >= size) return `${+(millis / size).toFixed(millis < 10 * size ? 1 : 0)} ${unit}`;
  }
  return "0 s";
}

const ofParts = (y, mo, d, h = 0, m = 0, s = 0, ms = 0) =>
  utc ? Date.UTC(y, mo - 1, d, h, m, s, ms) : new Date(y, mo - 1, d, h, m, s, ms).getTime();

const atTime = (y, mo, d, [h = 0, m = 0, s = 0, fraction = ""]) =>
  iso(ofParts(y, mo, d, +h, +m, +s, +fraction.slice(0, 3).padEnd(3, "0")));

/** What the API is asked for: a time that names no zone is the reader's, and the API would take it for UTC. */
export function wire(typed) {
  const value = typed.trim();
  const date = DATE.exec(value);
  if (date) return atTime(+date[1], +date[2], +date[3], date.slice(4));
  const day = value && DAY.exec(value);
  if (!day) return value;
  const [y, mo, d] = parts(Date.now());
  return atTime(y, mo, d + (DAYS[day[1]] ?? 0), day.slice(2));
}

const ISO = /^\d{4}-\d\d-\d\dT.*Z$/;

/** What the page's address says of what was typed: of a date or time of day the moment, so that it is the same elsewhere. */
export function fixed(typed) {
  const value = typed.trim();
  return DATE.test(value) || DAY.exec(value)?.[2] ? wire(value) : value;
}

/** The other way around: a moment in the reader's zone, anything else as it is. */
export const shown = value => (ISO.test(value) && !Number.isNaN(Date.parse(value)) ? text(Date.parse(value)) : value);

/** The moment that it means just now, in milliseconds; null if only the node can tell. */
export function moment(typed) {
  const value = wire(typed);
  if (value === "now") return Date.now();
  const ago = AGO.exec(value);
  if (ago) {
    return [...ago[1].matchAll(/(\d+)(ms|[smhdw])/g)].reduce((t, [, n, unit]) => t - n * UNITS[unit], Date.now());
  }
  const millis = /^\d{4}-/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(millis) ? null : millis;
}
