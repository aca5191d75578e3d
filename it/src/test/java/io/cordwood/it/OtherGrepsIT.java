package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.search.GrepCase;
import io.cordwood.cli.search.OtherGreps;
import io.cordwood.cli.search.OtherGreps.Printed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions at random to a node are answered as GNU grep or ripgrep answer them of the lines. */
final class OtherGrepsIT {
  private static final long SEED = 43;
  private static final int CASES = 250;

  @TempDir private Path folder;

  @Test
  void aNodeAnswersAsOthersDo() throws IOException {
    var random = new Random(SEED);
    List<String> lines = OtherGreps.lines(random, 400);
    Files.write(folder.resolve("a.log"), lines);
    List<GrepCase> cases = new ArrayList<>();
    for (int i = 0; i < CASES; i++) {
      cases.add(GrepCase.random(random, lines));
    }
    var others = new OtherGreps(folder);
    Optional<List<Printed>> gnu = others.run("grep", cases, each -> each.gnu(false), "a.log");
    Optional<List<Printed>> ripgrep = others.run("rg", cases, each -> each.ripgrep(false), "a.log");
    try (NodeProcess node = NodeProcess.start(folder.resolve("node"))) {
      node.send(String.join("\n", lines) + "\n");
      node.awaitCount("", lines.size());
      for (int i = 0; i < CASES && (gnu.isPresent() || ripgrep.isPresent()); i++) {
        List<String> right = new ArrayList<>();
        int at = i;
        gnu.ifPresent(all -> right.add(all.get(at).text()));
        ripgrep.ifPresent(all -> right.add(all.get(at).text()));
        assertThat(node.query(cases.get(i).query())).as(cases.get(i).toString()).isIn(right);
      }
    }
  }
}
