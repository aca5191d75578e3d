/**
 * Splunk's HTTP Event Collector.
 *
 * <pre>
 *   /services/collector, /event ──► SplunkRoutes ──┬► SplunkEvents ──► SplunkEvent ──┬► Events
 *   /services/collector/raw                        └► EventLines ────────────────────┘
 * </pre>
 */
@NullMarked
package io.cordwood.ingest.splunk;

import org.jspecify.annotations.NullMarked;
