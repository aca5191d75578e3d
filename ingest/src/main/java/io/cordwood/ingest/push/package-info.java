/**
 * Records that come in requests of HTTP, answered when they are as safe as the mode promises.
 *
 * <pre>
 *   POST /ingest ──► PushRoutes ──► PushedLines ──► PushedRecords ──► RequestWriter ──► segments
 *                    who and what   lines           batches by origin  one a request
 * </pre>
 */
@NullMarked
package io.cordwood.ingest.push;

import org.jspecify.annotations.NullMarked;
