/**
 * Datadog's API for logs.
 *
 * <pre>
 *   POST /api/v2/logs ──► DatadogRoutes ──┬► DatadogLogs ──┬► Events
 *   /v1/input                             └► EventLines ───┘
 * </pre>
 */
@NullMarked
package io.cordwood.ingest.datadog;

import org.jspecify.annotations.NullMarked;
