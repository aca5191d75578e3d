package io.cordwood.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.forwarder.HostName;
import io.cordwood.forwarder.NodeFixture;
import io.cordwood.forwarder.TestNode;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Applications that have the starter on their class path, and properties. */
abstract class StarterContract extends NodeFixture {
  /** An application as its owners write it. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {}

  private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final PrintStream terminal = System.out;
  private final PrintStream errors = System.err;
  @TempDir private Path folder;

  /** Logs at the level INFO while the thread's context (MDC) has a trace id. */
  abstract void log(String message, @Nullable Throwable thrown);

  /** A configuration file of the framework that has an appender for this node. */
  abstract String configuration(String target);

  /** What the framework says of itself goes there, unless it goes to standard error anyway. */
  abstract void printStatus(PrintStream to);

  /** Takes a configuration without the appender, as when its file has changed. */
  abstract void reload();

  /** Stops all appenders, as Spring Boot does at the end of a JVM. */
  abstract void stopLogging();

  @BeforeEach
  void listen() {
    PrintStream both = new PrintStream(output, true, StandardCharsets.UTF_8);
    System.setOut(both);
    System.setErr(both);
    printStatus(both);
  }

  @AfterEach
  void end() {
    contexts.forEach(ConfigurableApplicationContext::close);
    stopLogging();
    System.setOut(terminal);
    System.setErr(errors);
    terminal.print(output.toString(StandardCharsets.UTF_8));
  }

  /** The version would be that of the program that runs the tests. */
  ConfigurableApplicationContext run(String... properties) {
    var application = new SpringApplication(Shop.class);
    Stream<String> patient =
        Stream.of(properties)
                .anyMatch(property -> property.matches("cordwood\\.stop-?[tT]imeout=.*"))
            ? Stream.empty()
            : Stream.of("cordwood.stop-timeout=" + LONG.toSeconds() + "s");
    String[] arguments =
        Stream.of(
                Stream.of("spring.main.banner-mode=off", "spring.application.version="),
                Stream.of("cordwood.ack-timeout=" + LONG.toSeconds() + "s"),
                patient,
                Stream.of(properties))
            .flatMap(each -> each)
            .map(property -> "--" + property)
            .toArray(String[]::new);
    ConfigurableApplicationContext context = application.run(arguments);
    contexts.add(context);
    return context;
  }

  private String targets() {
    return "cordwood.targets=" + node.target();
  }

  private String printed() {
    return output.toString(StandardCharsets.UTF_8);
  }

  private List<String> received(String part) {
    return archive.records().stream().filter(record -> record.contains(part)).toList();
  }

  @Test
  void versionIsTheOneThatIsToBeTested() {
    assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("spring-boot.version"));
  }

  @Test
  void targetsAreAllThatIsNeeded() {
    run(targets(), "spring.application.name=My shop", "spring.profiles.active=prod,eu");
    log("order failed", new IllegalStateException("no stock"));
    contexts.get(0).close();
    assertThat(received("Started ")).hasSize(1);
    assertThat(received("order failed").get(0))
        .matches(
            "(?s)\\d{4}-\\d\\d-\\d\\dT\\S+  INFO \\d+ --- \\[[^]]+] shop : order failed"
                + " traceId=4bf9\\R.*IllegalStateException: no stock\\R\tat .*");
    assertThat(received("Started ").get(0)).doesNotEndWith(" ");
    assertThat(printed()).contains("order failed");
    String host = HostName.find().orElseThrow();
    assertThat(archive.batches())
        .allMatch(batch -> batch.topic.equals("My-shop"))
        .allMatch(
            batch -> batch.labels.equals("\napp=My shop\nhost=" + host + "\nprofile=prod eu"));
  }

  @ParameterizedTest
  @CsvSource({
    "ecs, '\"message\":\"order taken\"', '\"traceId\":\"4bf9\"'",
    "logstash, '\"message\":\"order taken\"', '\"traceId\":\"4bf9\"'"
  })
  void recordsAreOfAFormatOfStructuredLogging(String format, String message, String trace) {
    run(targets(), "cordwood.format=" + format);
    log("order taken", null);
    contexts.get(0).close();
    assertThat(received("order taken")).hasSize(1);
    assertThat(received("order taken").get(0))
        .startsWith("{")
        .endsWith("}")
        .contains(message, trace);
  }

  @Test
  void settingsAreThoseOfTheAppender() {
    run(
        "cordwood.targets[0]=" + node.target(),
        "cordwood.targets[1]=127.0.0.1:1",
        "cordwood.topic=web",
        "cordwood.stopTimeout=1m",
        "cordwood.labels.team=a b",
        "cordwood.labels.host=");
    log("order taken", null);
    contexts.get(0).close();
    assertThat(archive.batches())
        .isNotEmpty()
        .allMatch(batch -> batch.topic.equals("web") && batch.labels.equals("\nteam=a b"));
  }

  @Test
  void nothingHappensWithoutTargetsAndThatIsSaidOnce() {
    run();
    run("cordwood.targets=");
    log("order taken", null);
    assertThat(printed()).containsOnlyOnce("cordwood.targets is not set");
    assertThat(node.connections).hasValue(0);
  }

  @ParameterizedTest
  @CsvSource({
    "memory=lots, expected memory such as 64KiB",
    "labels=x, 'expected labels such as '",
    "format=xml, xml"
  })
  void aWrongPropertyIsReportedAndTheApplicationRuns(String property, String error) {
    run(targets(), "cordwood." + property);
    log("order taken", null);
    assertThat(printed()).contains("no logs are sent to Cordwood: ").contains(error);
    assertThat(node.connections).hasValue(0);
  }

  @Test
  void severalContextsHaveOneAppender() {
    run(targets());
    run(targets(), "spring.application.name=other");
    log("order 1", null);
    contexts.get(0).close();
    log("order 2", null);
    run(targets());
    log("order 3", null);
    contexts.get(2).close();
    assertThat(received(" : order ")).hasSize(3);
  }

  @Test
  void reloadedConfigurationHasTheAppenderAgain() {
    run(targets());
    log("order 1", null);
    reload();
    log("order 2", null);
    contexts.get(0).close();
    assertThat(received(" : order ")).hasSize(2);
  }

  @Test
  void anAppenderOfTheFrameworksOwnConfigurationIsTheOnlyOne() throws IOException {
    String xml = configuration(node.target().toString());
    Path file = Files.writeString(folder.resolve("logging.xml"), xml);
    run(targets(), "logging.config=" + file);
    log("order taken", null);
    contexts.get(0).close();
    // Closing does not wait for an asynchronous appender's queue.
    await().atMost(LONG).until(() -> !received("order taken").isEmpty());
    assertThat(received("order taken")).containsExactly("of a file: order taken");
  }

  @Test
  void metersAreBound() {
    ConfigurableApplicationContext context = run(targets());
    log("order taken", null);
    MeterRegistry registry = context.getBean(MeterRegistry.class);
    await()
        .atMost(LONG)
        .until(() -> registry.get("cordwood.appender.acknowledged").functionCounter().count() > 0);
    assertThat(registry.get("cordwood.appender.dropped").functionCounters()).isNotEmpty();
    assertThat(registry.get("cordwood.appender.pending.bytes").gauge().value()).isNotNegative();
  }

  @Test
  void closingWaitsForAcknowledgementsAndLossesAreOnStandardError() {
    node.behaviour = TestNode.Behaviour.SILENT;
    run(targets(), "cordwood.stop-timeout=100ms");
    log("order taken", null);
    contexts.get(0).close();
    assertThat(printed()).contains("records were not acknowledged within 100 ms; sending goes on");
    stopLogging();
    assertThat(printed()).contains("records were not acknowledged within 100 ms, and are given up");
  }
}
