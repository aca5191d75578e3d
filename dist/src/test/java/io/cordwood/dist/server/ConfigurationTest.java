package io.cordwood.dist.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.cordwood.cli.program.FlagValue;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.program.QuickFlags;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

final class ConfigurationTest {
  private static final StoreCommand STORE = new StoreCommand();
  private static final CommandLine COMMAND = Programs.line("cordwood store", STORE);
  private static final QuickFlags FLAGS = STORE.quickFlags();

  @Test
  void allFlagsAreToldWithTheirValuesWhereverTheyComeFrom() {
    COMMAND.parseArgs("--retention=30d", "--peer=a", "--peer=b:1", "--api-port", "0");
    assertThat(Configuration.flags(FLAGS))
        .contains("--retention=720h")
        .contains("--peer=a,b:1")
        .contains("--api-port=0")
        .contains("--bind=127.0.0.1")
        .doesNotContain("--help");
  }

  @ParameterizedTest
  @EnumSource(NodeRole.class)
  void everyFlagThatPicocliKnowsIsShownWithItsValue(NodeRole role) {
    CommandLine line = role.line();
    NodeCommand command = line.getCommand();
    line.parseArgs("--bind=0.0.0.0", "--cors-origin=a,b", "--max-query-bytes=1GiB");
    assertThat(command.quickFlags().allValues())
        .extracting(FlagValue::flag, FlagValue::value)
        .containsExactlyInAnyOrderElementsOf(
            line.getCommandSpec().options().stream()
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .map(option -> tuple(option.longestName(), option.getValue()))
                .toList());
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
    Set<String> known = Configuration.known("store", FLAGS);
    assertThat(Configuration.unknown(known, variables))
        .containsExactly("CORDWOOD_NODE", "CORDWOOD_RETENTON");
    assertThat(Configuration.meant("CORDWOOD_RETENTON", known))
        .isEqualTo(" (did you mean CORDWOOD_RETENTION?)");
    assertThat(Configuration.meant("CORDWOOD_NODE", known)).isEmpty();
  }
}
