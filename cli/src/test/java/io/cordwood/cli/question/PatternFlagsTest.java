package io.cordwood.cli.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.ReadFlags;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.PatternSpec.Extent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PatternFlagsTest {
  @TempDir private Path folder;

  private static PatternSpec spec(List<String> arguments, String... flags) throws IOException {
    return ReadFlags.into(new PatternFlags(), flags).spec(arguments);
  }

  @Test
  void patternsComeFromTheArgumentsFlagsAndFiles() throws IOException {
    Path file = Files.writeString(folder.resolve("patterns"), "c d\n\n-e");
    assertThat(spec(List.of("a"))).isEqualTo(PatternSpec.literal("a"));
    assertThat(spec(List.of(), "-e", "a", "-e-b", "-f", file.toString(), "-E").patterns())
        .containsExactly("a", "-b", "c d", "", "-e");
    Path none = Files.writeString(folder.resolve("none"), "");
    assertThat(spec(List.of(), "-f", none.toString()).patterns()).isEmpty();
  }

  @Test
  void patternsInAFileOfWindowsAreWithoutItsMarkAndLineEnds() throws IOException {
    Path file = Files.writeString(folder.resolve("patterns"), "\uFEFFa b\r\n\r\nc\rd\r\n");
    assertThat(spec(List.of(), "-f", file.toString()).patterns())
        .containsExactly("a b", "", "c\rd");
  }

  @Test
  void wholeRecordsGoBeforeWords() throws IOException {
    assertThat(spec(List.of("a"), "-w").extent()).isEqualTo(Extent.WORD);
    assertThat(spec(List.of("a"), "-w", "-x").extent()).isEqualTo(Extent.RECORD);
  }

  @ParameterizedTest
  @CsvSource({
    "error, false, true",
    "Error, false, false",
    "ÄRGER, false, false",
    "[a-z]\\W+\\pL\\p{Lu}, true, true",
    "\\W[A-Z], true, false",
    "\\W, false, false",
  })
  void smartCaseIgnoresCaseUnlessThereIsACapital(String pattern, boolean regex, boolean ignored)
      throws IOException {
    assertThat(spec(List.of(pattern), "-S", regex ? "-E" : "-F").ignoreCase()).isEqualTo(ignored);
  }

  @Test
  void filesThatAreNoPatternsAreRefused() throws IOException {
    Path large = Files.writeString(folder.resolve("large"), "x".repeat(50_000));
    assertThatThrownBy(() -> spec(List.of(), "-f", large.toString()))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("bytes of patterns, found more");
    Path binary = Files.write(folder.resolve("binary"), new byte[] {'a', (byte) 0xFF});
    assertThatThrownBy(() -> spec(List.of(), "-f", binary.toString()))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("expected patterns in UTF-8");
  }
}
