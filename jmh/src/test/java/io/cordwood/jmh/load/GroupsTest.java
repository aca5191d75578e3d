package io.cordwood.jmh.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupsTest {
  @TempDir private Path folder;

  @Test
  void groupsAreCutAtLines() throws IOException {
    assertThat(texts("one\ntwo\nthree\nfour\nfive\n", 8))
        .containsExactly("one\ntwo\n", "three\n", "four\n");
  }

  @Test
  void blankLinesAreLeftOut() throws IOException {
    assertThat(texts("\none\n\r\n \ntwo\n", 100)).containsExactly("one\ntwo\n");
  }

  @Test
  void aLineLongerThanAGroupIsAGroup() throws IOException {
    assertThat(texts("longer than that\nx\n", 8)).containsExactly("longer than that\n");
  }

  @Test
  void aFileWithoutLinesIsAnError() {
    assertThatThrownBy(() -> texts("no end", 8)).hasMessageContaining("expected lines");
  }

  private List<String> texts(String file, int groupBytes) throws IOException {
    Path path = Files.writeString(folder.resolve("lines"), file);
    return Groups.of(path, groupBytes).all().stream()
        .map(group -> StandardCharsets.ISO_8859_1.decode(group.lines().duplicate()).toString())
        .toList();
  }
}
