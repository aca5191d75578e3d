package io.cordwood.dist.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.Programs;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

final class ConfigurationTest {
  private static final CommandLine COMMAND = Programs.line("cordwood store", new StoreCommand());
  private static final CommandSpec FLAGS = COMMAND.getCommandSpec();

  @Test
  void flagsAreToldThatHaveOtherValuesThanUsual() {
    COMMAND.parseArgs("--retention=30d", "--peer=a", "--peer=b:1", "--api-port", "0");
    assertThat(Configuration.flags(FLAGS)).isEqualTo("--api-port=0 --peer=a,b:1 --retention=720h");
    COMMAND.parseArgs("--api-port", "7650", "--settle-after=60m", "--retention=7d");
    assertThat(Configuration.flags(FLAGS)).isEqualTo("all as usual");
  }

  @Test
  void retentionIsToldByTopicAndReadAgainAsItIsTold() {
    for (String told : List.of("--retention=audit*=8784h,720h", "--retention=169h")) {
      COMMAND.parseArgs(told);
      assertThat(Configuration.flags(FLAGS)).contains(told);
    }
    COMMAND.parseArgs("--retention", "30d", "--retention", "audit*=1y");
    assertThat(Configuration.flags(FLAGS)).contains("--retention=720h,audit*=8784h");
  }

  @Test
  void flagsOfTheNodeThatIsPrintedAreTakenOnceBesideAVariable() {
    var print = new ConfigPrintCommand();
    CommandLine line = Programs.line("cordwood config print", print);
    Programs.parse(line, Map.of("CORDWOOD_CONFIG_PRINT_ROLE", "store"), "--peer", "a");
    assertThat(print.flags).containsExactly("--peer", "a");
  }

  @Test
  void variablesThatSetNothingAreNamedButThoseOfTheLauncherAndOfKubernetes() {
    List<String> variables =
        List.of(
            "CORDWOOD_RETENTON",
            "CORDWOOD_RETENTION",
            "CORDWOOD_STORE_RETENTION",
            "CORDWOOD_NODE",
            "CORDWOOD_CACHE",
            "CORDWOOD_JAVA_OPTS",
            "CORDWOOD_SERVICE_HOST",
            "CORDWOOD_SERVICE_PORT_API",
            "CORDWOOD_PORT",
            "CORDWOOD_PORT_7650_TCP_ADDR",
            "CORDWOOD_STORE_SERVICE_HOST",
            "PATH");
    Set<String> known = Configuration.known(FLAGS);
    assertThat(Configuration.unknown(known, variables))
        .containsExactly("CORDWOOD_NODE", "CORDWOOD_RETENTON");
    assertThat(Configuration.meant("CORDWOOD_RETENTON", known))
        .isEqualTo(" (did you mean CORDWOOD_RETENTION?)");
    assertThat(Configuration.meant("CORDWOOD_NODE", known)).isEmpty();
  }
}
