package io.cordwood.query.loki;

import java.util.SortedMap;

/**
 * Numbers by time.
 *
 * @param values for each point; not a number where there is none
 */
record Series(SortedMap<String, String> labels, double[] values) {}
