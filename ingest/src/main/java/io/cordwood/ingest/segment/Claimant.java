package io.cordwood.ingest.segment;

/**
 * A store that claims segments.
 *
 * @param name as it calls itself
 * @param takesLabels whether it takes batches with labels, which stores of before do not know
 */
public record Claimant(String name, boolean takesLabels) {}
