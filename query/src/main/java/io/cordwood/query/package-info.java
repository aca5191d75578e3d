/**
 * A time-bounded grep over what nodes hold. This package has the two {@linkplain Tier tiers} of a
 * node's {@linkplain LocalRecords records}. Every arrow ends at a package farther down.
 *
 * <pre>
 *   api           the endpoints: /query, /read, what nodes ask each other; wires the rest
 *   histogram     counts instead of records: /histogram, /topics
 *   groups        counts and measures by fields: /stats
 *   tail          records as they are received: /stream
 *   http          parameters and formats, and how many queries run at once
 *   gather        one answer of what all nodes hold
 *   scan, wire    a node's own blocks; the form of answers between nodes
 *   result        what is found, and how much was searched
 *   request       what is asked
 *   (this one)    where records are
 *   fields        fields of records, and conditions on them
 *   match         patterns
 * </pre>
 */
@NullMarked
package io.cordwood.query;

import org.jspecify.annotations.NullMarked;
