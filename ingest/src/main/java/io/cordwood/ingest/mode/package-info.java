/**
 * Fast and durable mode: how the batches of an event loop's connections come into segments, and
 * when their senders are told that they are safe. Knows {@code segment} and {@code ingest}; what
 * senders send is known only as stamped batches.
 */
@NullMarked
package io.cordwood.ingest.mode;

import org.jspecify.annotations.NullMarked;
