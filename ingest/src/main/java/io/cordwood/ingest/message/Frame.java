package io.cordwood.ingest.message;

/**
 * The place of a message in what a connection sent.
 *
 * @param start its first byte
 * @param end the place after its last; it is blank if that is its start
 * @param next the place from which the next message is looked for
 * @param continued whether it is the rest of a message that was too long for one
 */
public record Frame(int start, int end, int next, boolean continued) {}
