/**
 * Segments on the disk, and the folder that holds them: their states, one class each, and how one
 * becomes the next; how they are forced, claimed, and recovered at the start. {@link
 * io.cordwood.ingest.segment.IngestDisk} has what those need who write. Knows {@code ingest} alone.
 */
@NullMarked
package io.cordwood.ingest.segment;

import org.jspecify.annotations.NullMarked;
