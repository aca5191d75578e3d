/**
 * Lines of JSON at VictoriaLogs' path.
 *
 * <pre>
 *   POST /insert/jsonline ──► JsonLineRoutes ──► EventLines ──► JsonLine ──► Events
 *                             parameters         lines          one object
 * </pre>
 */
@NullMarked
package io.cordwood.ingest.jsonline;

import org.jspecify.annotations.NullMarked;
