package io.cordwood.dist.server;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;

/**
 * Gives metrics their line of help, from {@code metrics.properties} beside this class; those of the
 * JVM, and those that come with what happens to a node, have one.
 */
final class MetricHelp implements MeterFilter {
  private static final String FILE = "metrics.properties";

  private final NamingConvention naming;
  private final Properties texts = read();

  private MetricHelp(NamingConvention naming) {
    this.naming = naming;
  }

  /** This registry, with help for what is registered from now on. */
  static PrometheusMeterRegistry addTo(PrometheusMeterRegistry registry) {
    registry
        .config()
        // The names of these two are not as Prometheus wants them.
        .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
        .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"))
        .meterFilter(new MetricHelp(registry.config().namingConvention()));
    return registry;
  }

  private static Properties read() {
    var texts = new Properties();
    try (InputStream file =
        Objects.requireNonNull(MetricHelp.class.getResourceAsStream(FILE), FILE)) {
      texts.load(new InputStreamReader(file, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts;
  }

  @Override
  public Meter.Id map(Meter.Id id) {
    String name = naming.name(id.getName(), id.getType(), id.getBaseUnit());
    String help = texts.getProperty(name.replaceFirst("_total$", ""));
    return help == null || id.getDescription() != null
        ? id
        : new Meter.Id(id.getName(), Tags.of(id.getTags()), id.getBaseUnit(), help, id.getType());
  }
}
