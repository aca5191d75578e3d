/**
 * The ingest tier: listeners append what they receive to segment files, and nothing more. {@code
 * node} puts its parts together. Here is what all of them share, and knows none of them: options,
 * bounds on what is held and taken, and the ledger of what became of every record.
 */
@NullMarked
package io.cordwood.ingest;

import org.jspecify.annotations.NullMarked;
