package io.cordwood.common.tls;

import io.cordwood.common.file.WatchedFiles;
import io.cordwood.common.run.PeriodicTask;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a folder's files from time to time, and takes them when they have changed and all of
 * them are good. While one is not, what was good before is kept, and that is logged, once a minute
 * while it lasts. Warns when the certificate is about to expire.
 */
final class TlsReload implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TlsReload.class);
  private static final Duration WARNED_BEFORE = Duration.ofDays(14);
  private static final Duration WARNED_AGAIN = Duration.ofDays(1);

  private final TlsFolder folder;
  private final WatchedFiles files;
  private final CurrentKey key;
  private final CurrentTrust trust;
  private final MeterRegistry registry;
  private final Counter reloads;
  private final Counter failures;
  private Instant nextWarning = Instant.MIN;
  private volatile Instant expiry;
  private @Nullable PeriodicTask task;

  TlsReload(
      TlsFolder folder,
      WatchedFiles files,
      Instant expiry,
      CurrentKey key,
      CurrentTrust trust,
      MeterRegistry registry) {
    this.folder = folder;
    this.files = files;
    this.key = key;
    this.trust = trust;
    this.expiry = expiry;
    this.registry = registry;
    this.reloads = registry.counter("cordwood_tls_reloads_total", "result", "ok");
    this.failures = registry.counter("cordwood_tls_reloads_total", "result", "refused");
    Gauge.builder(
            "cordwood_tls_certificate_expiry_timestamp_seconds",
            this,
            reload -> reload.expiry.getEpochSecond())
        .register(registry);
  }

  void start(Duration every) {
    task = PeriodicTask.start("tls-reload", every, registry, this::look);
  }

  private void look() {
    files.look(folder::read, this::take, this::refused);
    warnOfExpiry();
  }

  private void take(TlsFolder.Contents contents) {
    trust.replace(contents.authorities());
    key.replace(contents.credentials());
    Instant ofNew = contents.credentials().expiry();
    if (!ofNew.equals(expiry)) { // else the same files may have been read while they were replaced
      nextWarning = Instant.MIN;
    }
    expiry = ofNew;
    reloads.increment();
    log.info("TLS: new files are used; the certificate expires at {}", expiry);
  }

  private void refused(String why) {
    failures.increment();
    log.warn("TLS: the files are not used, those from before are: {}", why);
  }

  private void warnOfExpiry() {
    Instant now = Instant.now();
    if (expiry.minus(WARNED_BEFORE).isBefore(now) && !now.isBefore(nextWarning)) {
      nextWarning = now.plus(WARNED_AGAIN);
      log.warn("TLS: the certificate of this node expires at {}; replace it before", expiry);
    }
  }

  @Override
  public void close() {
    if (task != null) {
      task.close();
    }
  }
}
