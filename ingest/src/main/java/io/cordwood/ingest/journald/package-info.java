/**
 * The journal of systemd, as systemd-journal-upload sends it.
 *
 * <pre>
 *   POST /upload ──► JournaldRoutes ──► JournalStream ──► JournalEvents ──► Events
 *                     answers            entry by entry    MESSAGE, labels, the rest
 * </pre>
 */
@NullMarked
package io.cordwood.ingest.journald;

import org.jspecify.annotations.NullMarked;
