// Fields and labels as columns of the rows: which, in which order, and how wide. The address of the page has them.

/** More are left out. */
export const MAX_COLUMNS = 20;

const USUAL_CHARS = 14;
const LEAST_CHARS = 4;
const MOST_CHARS = 200;
const MAX_NAME_CHARS = 200;

/** A width that a column can have. */
export const within = width => Math.max(LEAST_CHARS, Math.min(MOST_CHARS, Math.round(width)));

function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** All that a text of the address names, each once: `name`, and `width` in characters. */
function allOf(text) {
  const found = new Map();
  for (const each of text.split(",").filter(Boolean)) {
    const [, encoded, width] = /^(.*?)(?::(\d+))?$/s.exec(each);
    const name = decoded(encoded).slice(0, MAX_NAME_CHARS);
    if (name && !found.has(name)) found.set(name, { name, width: within(Number(width ?? USUAL_CHARS)) });
  }
  return [...found.values()];
}

export const columnsOf = text => allOf(text).slice(0, MAX_COLUMNS);

/** How many are left out of so long a text. */
export const columnsLeftOut = text => Math.max(0, allOf(text).length - MAX_COLUMNS);

/** The same as the address has it. */
export const columnsText = columns =>
  columns.map(({ name, width }) => name.replace(/[%,:]/g, encodeURIComponent) + (width && width !== USUAL_CHARS ? `:${width}` : "")).join(",");
