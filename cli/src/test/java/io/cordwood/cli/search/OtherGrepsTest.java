package io.cordwood.cli.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.Programs;
import io.cordwood.cli.search.OtherGreps.Printed;
import io.cordwood.cli.terminal.StandardOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Questions at random to files are answered byte for byte, and with the exit code, as GNU grep or
 * ripgrep answer them. Where these differ, one of them is right.
 */
final class OtherGrepsTest {
  private static final long SEED = 41;
  private static final int CASES = 250;

  @TempDir private Path folder;

  private Printed ours(GrepCase question, String... files) throws Exception {
    List<String> line = new ArrayList<>(question.flags());
    line.add("--");
    for (String file : files) {
      line.add(folder.resolve(file).toString());
    }
    GrepCommand command = command(line.toArray(String[]::new));
    var out = new ByteArrayOutputStream();
    int exitCode = command.searchFiles(new StandardOutput(out));
    String text = out.toString(StandardCharsets.UTF_8).replace(folder + "/", "");
    return new Printed(text, exitCode);
  }

  /** One that has read its command line, in the way in which it would be. */
  private static GrepCommand command(String... line) {
    var command = new GrepCommand();
    Programs.parse(Programs.line("cordwood grep", command), Map.of(), command.rewritten(line));
    return command;
  }

  private void compare(List<GrepCase> cases, String... files) throws Exception {
    var others = new OtherGreps(folder);
    Optional<List<Printed>> gnu = others.run("grep", cases, each -> each.gnu(true), files);
    Optional<List<Printed>> ripgrep = others.run("rg", cases, each -> each.ripgrep(true), files);
    for (int i = 0; i < cases.size() && (gnu.isPresent() || ripgrep.isPresent()); i++) {
      List<Printed> right = new ArrayList<>();
      int at = i;
      gnu.ifPresent(all -> right.add(all.get(at)));
      if (cases.get(i).only() && cases.get(i).reading().word() && cases.get(i).reading().whole()) {
        gnu.ifPresent(all -> right.add(withoutEmptyLines(all.get(at))));
      }
      ripgrep.ifPresent(all -> right.add(all.get(at)));
      assertThat(ours(cases.get(i), files)).as(cases.get(i).toString()).isIn(right);
    }
  }

  /** GNU grep says that it prints non-empty parts only, and with all three flags does not. */
  private static Printed withoutEmptyLines(Printed printed) {
    return new Printed(printed.text().replaceAll("(?m)^\n", ""), printed.exitCode());
  }

  private List<GrepCase> cases(Random random) throws IOException {
    List<String> lines = OtherGreps.lines(random, 400);
    Files.write(folder.resolve("a.log"), lines);
    Files.write(folder.resolve("b.log"), OtherGreps.lines(random, 100));
    List<GrepCase> cases = new ArrayList<>();
    for (int i = 0; i < CASES / 2; i++) {
      cases.add(GrepCase.random(random, lines));
    }
    return cases;
  }

  @Test
  void oneFileIsSearchedAsOthersDo() throws Exception {
    compare(cases(new Random(SEED)), "a.log");
  }

  @Test
  void twoFilesAreSearchedAsOthersDo() throws Exception {
    compare(cases(new Random(SEED + 1)), "a.log", "b.log");
  }
}
