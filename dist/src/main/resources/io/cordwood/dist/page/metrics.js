// The text format of Prometheus, as far as nodes write it.

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;

/** All samples: { name, labels, value }. */
export function parse(text) {
  const found = [];
  for (const line of text.split("\n")) {
    const match = line.startsWith("#") ? null : LINE.exec(line);
    if (match) {
      const labels = Object.fromEntries([...(match[2] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, k, v]) => [k, v.replace(/\\(.)/g, "$1")]));
      found.push({ name: match[1], labels, value: Number(match[3]) });
    }
  }
  return found;
}

/** The sum of a metric over its labels; null if the node has it not. */
export function sum(samples, name) {
  const all = samples.filter(s => s.name === name);
  return all.length ? all.reduce((total, s) => total + s.value, 0) : null;
}

/** The same by a label. */
export function by(samples, name, label) {
  const sums = new Map();
  samples.filter(s => s.name === name).forEach(s => sums.set(s.labels[label], (sums.get(s.labels[label]) ?? 0) + s.value));
  return sums;
}
