package io.cordwood.query.groups;

/** A number that is not exact. */
record Estimate(long number) {}
