package io.cordwood.ingest.bulk;

import io.cordwood.common.ulid.Ulid;

/**
 * An upload that is durable on this node, and waits for the stores.
 *
 * @param segment that holds it, and nothing else
 * @param bytes that were received, blank lines and preamble included
 * @param stamped whether it came as batches, which may be sent again without harm
 */
record Uploaded(Ulid segment, long records, long bytes, boolean stamped) {}
