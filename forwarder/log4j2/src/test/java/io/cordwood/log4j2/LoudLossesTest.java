package io.cordwood.log4j2;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.LoggingProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application says on standard error of events that are lost, without being asked to. */
final class LoudLossesTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"", " status=\"OFF\""})
  void quietStatusLoggerHidesNoLoss(String status) throws IOException, InterruptedException {
    AppenderXml appender =
        new AppenderXml().set("targets", "127.0.0.1:1").set("stopTimeout", "100ms");
    String xml =
        Log4jApplication.configuration(appender)
            .replace("<Configuration>", "<Configuration" + status + ">");
    Path file = Files.writeString(folder.resolve("log4j2.xml"), xml);
    Path errors = folder.resolve("errors");
    Process process =
        LoggingProcess.of(LoggingProgram.class, "log4j2.configurationFile", file, 20)
            .redirectError(errors.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor()).isZero();
    List<String> lines = Files.readAllLines(errors, StandardCharsets.UTF_8);
    assertThat(lines)
        .filteredOn(l -> l.contains("20 records were not acknowledged within 100 ms"))
        .hasSize(1);
  }
}
