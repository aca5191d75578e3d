/**
 * Loki's push API.
 *
 * <pre>
 *   POST /loki/api/v1/push ──► LokiRoutes ──┬► SnappyBlock ──► LokiProtobuf, LabelText ──┬► Events
 *   /insert/loki/api/v1/push                └► LokiJson ─────────────────────────────────┘
 * </pre>
 */
@NullMarked
package io.cordwood.ingest.loki;

import org.jspecify.annotations.NullMarked;
