// A field's value as a part of the query: "only this", "not this".

import { conditionOf, literalOf } from "./parse.js";

/**
 * Adds to the query that a field has this value, or has not: as a condition, or where none can say that, as the text that
 * gives the value in a record.
 *
 * @param does what choices do: `where`, `only`, `not`
 * @param sample a record that has the value; null if the node has given it
 */
export function narrow(does, sample, name, value, isNot) {
  const condition = conditionOf(sample, name, value, isNot);
  if (condition) does.where(condition);
  else (isNot ? does.not : does.only)(literalOf(sample?.text ?? "", name, value));
}
