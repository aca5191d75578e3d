package io.cordwood.common.segment;

import static io.cordwood.common.segment.FilterFixtures.candidates;
import static io.cordwood.common.segment.FilterFixtures.open;
import static io.cordwood.common.segment.FilterFixtures.section;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FilterFormatTest {
  private static final List<byte[]> BLOCKS =
      List.of(
          "Nov 21 12:00:01 combo sshd: session opened for root\n".getBytes(ISO_8859_1),
          "a\tTAB, an \u00e9, a \u00ff\n\nX\n".getBytes(ISO_8859_1),
          "stack trace:\n\tat Main.main\0".getBytes(ISO_8859_1));

  /** To renew it after a change of the version: write {@code section(…)} to the file. */
  @Test
  void sectionIsTheGoldenOne() throws IOException {
    assertThat(section(new FilterBuilder(1 << 10), BLOCKS)).isEqualTo(golden("filter-v2.golden"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"filter-v1.golden", "filter-v2.golden"})
  void goldenSectionIsRead(String name) throws IOException {
    BlockFilter filter = open(golden(name));
    assertThat(filter.blocks()).isEqualTo(3);
    assertThat(filter.damagedPages()).isZero();
    assertThat(candidates(filter, "SESSION opened")).hasToString("{0}");
    assertThat(candidates(filter, "TAB, an \u00e9")).hasToString("{1}");
    assertThat(candidates(filter, "trace:\n\tat Main")).hasToString("{2}");
  }

  @Test
  void sectionWithDigestKeepsItsChecksum() {
    CRC32C crc = new CRC32C();
    crc.update(
        section(new FilterBuilder(150_000), FilterFixtures.blocksWithStopKeys(1, 16, 150_000)));
    assertThat(crc.getValue()).isEqualTo(0xb5cb5f3L);
  }

  private static byte[] golden(String name) throws IOException {
    try (InputStream file = FilterFormatTest.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(file, name).readAllBytes();
    }
  }
}
