/**
 * Makes records of events of other protocols, by one rule for all of them, which
 * docs/format/foreign.md draws.
 */
@NullMarked
package io.cordwood.ingest.event;

import org.jspecify.annotations.NullMarked;
