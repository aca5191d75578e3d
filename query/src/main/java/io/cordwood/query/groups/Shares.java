package io.cordwood.query.groups;

/**
 * Further numbers beside a number of records.
 *
 * @param isByTime whether stretches of time are told apart
 * @param seconds in which they came, of which the number per second is given; 0 for no such
 * @param percent whether it is given what part of all they are, or of those of the stretch of time
 */
record Shares(boolean isByTime, double seconds, boolean percent) {}
