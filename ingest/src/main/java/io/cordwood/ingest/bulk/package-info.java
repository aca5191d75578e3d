/**
 * Bulk mode: an upload is a segment of its own, answered when stores have committed it, over TCP
 * and over HTTP. Reads lines as {@code sender} does. May know {@code sender}, {@code unconsumed}
 * and what is below them.
 */
@NullMarked
package io.cordwood.ingest.bulk;

import org.jspecify.annotations.NullMarked;
