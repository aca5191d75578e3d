/**
 * A time-bounded grep over what nodes hold. This package has the words that those below share: what
 * is asked ({@link Query}), of what ({@link LocalRecords}), and what is found ({@link BlockHits}).
 * Every arrow ends at a package farther down.
 *
 * <pre>
 *   api           the endpoints: /query, /read, what nodes ask each other; wires the rest
 *   histogram     counts instead of records: /histogram, /topics
 *   groups        counts and measures by fields: /stats
 *   tail          records as they are received: /stream
 *   http          parameters and formats, and how many queries run at once
 *   gather        one answer of what all nodes hold
 *   scan, wire    a node's own blocks; the form of answers between nodes
 *   (this one)    what is asked and what is found
 *   fields        fields of records, and conditions on them
 *   match         patterns
 * </pre>
 */
@NullMarked
package io.cordwood.query;

import org.jspecify.annotations.NullMarked;
