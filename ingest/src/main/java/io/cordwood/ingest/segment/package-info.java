/**
 * Segments on the disk, and the folder that holds them: their states, one class each, and how one
 * becomes the next; how they are forced, claimed, and recovered at the start. {@link
 * io.cordwood.ingest.segment.IngestContext} hands them and the node's bounds to all who receive.
 * Knows {@code ingest} alone.
 */
@NullMarked
package io.cordwood.ingest.segment;

import org.jspecify.annotations.NullMarked;
