// ULIDs as texts: 26 characters of Crockford's base 32, of which the first ten are the time in milliseconds.

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_DIGITS = 10;

export const LEAST = "0".repeat(26);

/** When it was stamped, in milliseconds since 1970. */
export function timeOf(ulid) {
  let millis = 0;
  for (let i = 0; i < TIME_DIGITS; i++) millis = millis * 32 + DIGITS.indexOf(ulid[i]);
  return millis;
}

/** The first one of a millisecond. */
export function firstOf(millis) {
  let text = "";
  for (let i = 0, rest = millis; i < TIME_DIGITS; i++, rest = Math.floor(rest / 32)) text = DIGITS[rest % 32] + text;
  return text + "0".repeat(26 - TIME_DIGITS);
}

/** The one right behind it. */
export function next(ulid) {
  let at = ulid.length - 1;
  while (ulid[at] === "Z") at--;
  return ulid.slice(0, at) + DIGITS[DIGITS.indexOf(ulid[at]) + 1] + "0".repeat(ulid.length - 1 - at);
}

/** The one right before it; of the least, itself. */
export function previous(ulid) {
  if (ulid === LEAST) return ulid;
  let at = ulid.length - 1;
  while (ulid[at] === "0") at--;
  return ulid.slice(0, at) + DIGITS[DIGITS.indexOf(ulid[at]) - 1] + "Z".repeat(ulid.length - 1 - at);
}
