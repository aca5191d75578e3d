package io.cordwood.ingest.otlp;

import io.cordwood.common.http.server.Request;
import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.ingest.IngestMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.LoggerFactory;

/** Counts and logs rejected records of requests that were taken otherwise: no client says so. */
final class OtlpRejections {
  private final Counter rejected;
  private final RateLimitedLog log =
      new RateLimitedLog(LoggerFactory.getLogger(OtlpRejections.class));

  OtlpRejections(MeterRegistry registry) {
    rejected = registry.counter(IngestMetrics.PREFIX + "partially_rejected_records_total");
  }

  void count(Request request, Rejected read) {
    if (read.count() > 0) {
      rejected.increment((double) read.count());
      String what = read.count() + " log records are rejected, and the others stored, of";
      log.warn(what, request.address(), read.why());
    }
  }
}
