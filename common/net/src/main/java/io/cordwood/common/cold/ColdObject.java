package io.cordwood.common.cold;

import java.time.Instant;

/**
 * A cold object that was listed.
 *
 * @param bytes length of the whole object
 * @param uploaded by the clock of the bucket
 */
public record ColdObject(ColdName name, long bytes, Instant uploaded) {}
