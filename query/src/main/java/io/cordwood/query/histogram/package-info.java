/**
 * Answers that are counts instead of records: of time buckets, and of topics; from the index where
 * that is exact. May know {@code http} and what is below it; nobody but {@code api} knows it.
 */
@NullMarked
package io.cordwood.query.histogram;

import org.jspecify.annotations.NullMarked;
