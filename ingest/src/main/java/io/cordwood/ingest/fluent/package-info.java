/**
 * Fluent Forward: what fluentd, Fluent Bit, Docker's own driver and loggers of many languages
 * speak.
 *
 * <pre>
 *   TCP ──► ForwardConnection ──► PackedStream ──► ForwardMessage ──► ForwardEvents ──► Events
 *            │  ▲                  whole values     tag, option,       what each is,
 *            │  └─ Handshake       of MessagePack   entries            DockerParts
 *            └─ {"ack": chunk}, once all is forced
 * </pre>
 */
@NullMarked
package io.cordwood.ingest.fluent;

import org.jspecify.annotations.NullMarked;
