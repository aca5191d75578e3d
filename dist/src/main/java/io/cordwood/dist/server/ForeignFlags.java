package io.cordwood.dist.server;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagBounds;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.cordwood.ingest.IngestOptions.ForeignPorts;
import io.cordwood.ingest.IngestOptions.Naming;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The flags of protocols that are not Cordwood's own. */
final class ForeignFlags implements Flags {
  @Nullable Integer syslogPort;
  @Nullable Integer fluentPort;
  @Nullable Integer gelfPort;
  @Nullable Integer otlpPort;
  @Nullable Integer otlpGrpcPort;
  String topicFrom = String.join(",", Naming.DEFAULT.labels());
  boolean noEventFields;

  @Override
  public void list(FlagList list) {
    list.flag("--syslog-port")
        .label("PORT")
        .help("Syslog over TCP and UDP, RFC 5424 and 3164. 0: any free one. Default: not open.")
        .value(Integer.class, syslogPort, value -> syslogPort = value);
    list.flag("--fluent-port")
        .label("PORT")
        .help("Fluent Forward, mostly 24224. 0: any free one. Default: not open.")
        .value(Integer.class, fluentPort, value -> fluentPort = value);
    list.flag("--gelf-port")
        .label("PORT")
        .help("GELF over TCP and UDP, mostly 12201. 0: any free one. Default: not open.")
        .value(Integer.class, gelfPort, value -> gelfPort = value);
    list.flag("--otlp-port")
        .label("PORT")
        .help(
            "OTLP over HTTP and gRPC, mostly 4318; the API's port takes it, too. 0: any free one."
                + " Default: not open.")
        .value(Integer.class, otlpPort, value -> otlpPort = value);
    list.flag("--otlp-grpc-port")
        .label("PORT")
        .help("The same, mostly 4317.")
        .value(Integer.class, otlpGrpcPort, value -> otlpGrpcPort = value);
    list.flag("--topic-from")
        .label("LABELS")
        .help(
            "Labels of foreign events, with commas between; the first that an event has is its"
                + " topic. Default: ${DEFAULT-VALUE}.")
        .value(String.class, topicFrom, value -> topicFrom = value);
    list.flag("--no-event-fields")
        .help(
            "Write nothing after the texts of foreign events: no severity, attributes or trace"
                + " ids.")
        .on(value -> noEventFields = value);
  }

  /** The rule for the names of events, checked. */
  Naming naming(Topic topic) {
    List<String> labels =
        Arrays.stream(topicFrom.split(",", -1))
            .map(String::strip)
            .filter(s -> !s.isEmpty())
            .toList();
    try {
      labels.forEach(Labels::checkName);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--topic-from: " + e.getMessage());
    }
    return new Naming(topic, labels, !noEventFields);
  }

  /** The ports, checked. */
  ForeignPorts ports() {
    return new ForeignPorts(
        port("--syslog-port", syslogPort),
        port("--fluent-port", fluentPort),
        port("--gelf-port", gelfPort));
  }

  /** The ports of OTLP, checked. */
  List<Integer> otlpPorts() {
    return Stream.of(port("--otlp-port", otlpPort), port("--otlp-grpc-port", otlpGrpcPort))
        .flatMap(port -> port.stream().boxed())
        .toList();
  }

  private static OptionalInt port(String flag, @Nullable Integer port) {
    if (port == null) {
      return OptionalInt.empty();
    }
    FlagBounds.port(flag, 0, port);
    return OptionalInt.of(port);
  }
}
