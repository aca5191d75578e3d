/**
 * Elasticsearch's bulk requests, and what its clients ask before they send some.
 *
 * <pre>
 *   POST /_bulk ──► ElasticRoutes ──► BulkReader ──► Actions     {"create":{"_index":"logs"}}
 *                        │                 │     └─► Documents   {"@timestamp":…,"message":…}
 *                        ▼                 ▼
 *                   BulkAnswer         event.Events
 *   GET /, /_license, … ──► ElasticHandshake
 * </pre>
 */
@NullMarked
package io.cordwood.ingest.elastic;

import org.jspecify.annotations.NullMarked;
