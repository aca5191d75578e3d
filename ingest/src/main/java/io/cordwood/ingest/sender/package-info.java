/**
 * Senders that stay connected: each one's bytes are read as a preamble, lines or batches, stamped
 * or checked, handed to its mode's writer, and acknowledged. May know {@code mode} and what is
 * below it.
 */
@NullMarked
package io.cordwood.ingest.sender;

import org.jspecify.annotations.NullMarked;
