package io.cordwood.common.cold;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A line that was torn is neither taken for another one nor takes the next one with it. */
final class ColdNamesTest {
  private static final long NOON = Instant.parse("2026-11-24T12:00:00Z").toEpochMilli();

  @TempDir private Path folder;

  private static ColdObject object(int number) {
    var range = new UlidRange(Ulid.firstOf(NOON + number), Ulid.lastOf(NOON + number));
    ColdName name = ColdName.of(ColdName.USUAL_CLASS, range, 4711, "%064x".formatted(number));
    return new ColdObject(name, 1_000_000 + number, Instant.ofEpochMilli(NOON + 86_400_000));
  }

  @Test
  void cutAtAnyByteItHasAllWholeLinesAndTakesMore() throws IOException {
    Path whole = folder.resolve("whole");
    List<ColdObject> objects = List.of(object(1), object(2), object(3));
    new ColdNames(whole).add(objects);
    byte[] bytes = Files.readAllBytes(whole);
    Path file = folder.resolve("names");
    for (int length = 0; length <= bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      Files.write(file, cut);
      int lines = (int) new String(cut, StandardCharsets.US_ASCII).lines().count();
      int left = length == 0 || cut[length - 1] == '\n' ? lines : lines - 1;
      List<ColdObject> expected = new ArrayList<>(objects.subList(0, left));
      var names = new ColdNames(file);
      assertThat(names.read()).as("%d bytes", length).isEqualTo(expected);
      names.add(List.of(object(4)));
      names.add(List.of(object(5)));
      expected.addAll(List.of(object(4), object(5)));
      assertThat(new ColdNames(file).read()).as("%d bytes", length).isEqualTo(expected);
    }
  }

  @Test
  void aLongLineOfSomethingElseIsCutOff() throws IOException {
    Path file = folder.resolve("names");
    new ColdNames(file).add(List.of(object(1)));
    Files.writeString(file, "x".repeat(10_000), StandardOpenOption.APPEND);
    new ColdNames(file).add(List.of(object(2)));
    assertThat(new ColdNames(file).read()).containsExactly(object(1), object(2));
    assertThat(Files.readAllLines(file)).hasSize(2);
  }
}
