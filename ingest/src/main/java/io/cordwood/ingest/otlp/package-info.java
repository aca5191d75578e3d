/**
 * Logs of OpenTelemetry, over HTTP and gRPC.
 *
 * <pre>
 *   POST /v1/logs                       POST /opentelemetry…LogsService/Export
 *        │                                   │ GrpcMessage: one frame, unpacked
 *        ├── protobuf ──► ProtobufRequest ◄──┘
 *        │                     │ messages of resource, scope and each log record
 *        └── JSON ──► JsonRequest ──► LogEvents ──► LogRecord, AnyValue ──► Events
 *                     the same, written as protobuf
 * </pre>
 */
@NullMarked
package io.cordwood.ingest.otlp;

import org.jspecify.annotations.NullMarked;
