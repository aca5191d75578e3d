package io.cordwood.logback;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.LoggingProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application says on standard error of events that are lost, without being asked to. */
final class LoudLossesTest {
  private static final String QUIET =
      "<statusListener class=\"ch.qos.logback.core.status.NopStatusListener\"/>";

  private static final String PRINTING =
      "<statusListener class=\"ch.qos.logback.core.status.OnErrorConsoleStatusListener\"/>";

  @TempDir private Path folder;

  /**
   * Runs a program without a node, whose appender is stopped by a hook of Logback's or not; it ends
   * once it has said something.
   */
  private List<String> errors(String more, String awaited)
      throws IOException, InterruptedException {
    AppenderXml appender =
        new AppenderXml().set("targets", "127.0.0.1:1").set("stopTimeout", "100ms");
    String xml =
        LogbackApplication.configuration(appender)
            .replace("<configuration>", "<configuration>" + more);
    Path file = Files.writeString(folder.resolve("logback.xml"), xml);
    Path errors = folder.resolve("errors");
    ProcessBuilder program =
        LoggingProcess.of(LoggingProgram.class, "logback.configurationFile", file, 20);
    program.command().add("until its input ends");
    Process process =
        program
            .redirectError(errors.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    await().until(() -> Files.readString(errors).contains(awaited));
    process.getOutputStream().close();
    assertThat(process.waitFor()).isZero();
    return Files.readAllLines(errors, UTF_8).stream()
        .filter(line -> line.contains("Cordwood"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<shutdownHook/>"})
  void standardErrorHasThemWhereNobodyListens(String more) throws Exception {
    String warning = "WARN Cordwood appender cordwood: cannot connect to 127.0.0.1";
    assertThat(errors(more, warning))
        .anyMatch(l -> l.startsWith(warning))
        .anyMatch(l -> l.startsWith("ERROR Cordwood appender cordwood: ") && l.contains("20 "))
        .hasSizeLessThan(6);
  }

  @Test
  void aListenerThatPrintsNothingHidesNoLoss() throws Exception {
    assertThat(errors(QUIET, ""))
        .anyMatch(l -> l.startsWith("ERROR Cordwood appender cordwood: ") && l.contains("20 "))
        .noneMatch(l -> l.startsWith("WARN"));
  }

  @Test
  void aListenerThatPrintsThemIsTheOnlyOneToDoSo() throws Exception {
    assertThat(errors(PRINTING, ""))
        .anyMatch(l -> l.contains("20 "))
        .noneMatch(l -> l.startsWith("ERROR Cordwood"));
  }
}
