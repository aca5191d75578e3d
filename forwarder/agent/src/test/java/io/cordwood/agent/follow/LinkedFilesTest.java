package io.cordwood.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files whose names are links: they lead to other folders, and later to other files. */
final class LinkedFilesTest {
  @TempDir private Path folder;
  private FollowFixture follow;
  private Path link;
  private Path log;

  @BeforeEach
  void readAFileByALink() throws IOException {
    log = Files.createDirectories(folder.resolve("pods/web")).resolve("0.log");
    link = Files.createDirectories(folder.resolve("containers")).resolve("web.log");
    Files.writeString(log, "1\n");
    Files.createSymbolicLink(link, Path.of("../pods/web/0.log"));
    follow = new FollowFixture(folder.resolve("cp"), folder.resolve("containers/*.log"));
    assertThat(follow.read()).containsExactly("web 1");
  }

  @AfterEach
  void close() throws IOException {
    follow.close();
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void pause(boolean restarts) throws IOException {
    follow.closeFiles();
    if (restarts) {
      follow.restart();
    }
  }

  private void assertRead(String... lines) throws IOException {
    List<String> read = follow.read();
    read.addAll(follow.read());
    assertThat(read).containsExactlyInAnyOrder(lines);
    assertThat(follow.counters.bytesLost.sum()).isZero();
    assertThat(follow.counters.truncations.sum()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void renamedTargetIsReadToItsEnd(boolean restarts) throws IOException {
    append(log, "2\n");
    Files.move(log, log.resolveSibling("0.log.20261126-100000"));
    append(log, "3\n");
    pause(restarts);
    assertRead("web 2", "web 3");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void targetsThatWereRotatedUnseenAreRead(boolean restarts) throws IOException {
    for (String line : List.of("2", "3")) {
      append(log, line + "\n");
      Files.move(log, log.resolveSibling("0.log.20261126-10000" + line));
    }
    append(log, "4\n");
    pause(restarts);
    assertRead("web 2", "web 3", "web 4");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void targetThatTheLinkLeftIsReadToItsEnd(boolean restarts) throws IOException {
    append(log, "2\n");
    Files.move(log, log.resolveSibling("renamed"));
    Path next = Files.createDirectories(folder.resolve("pods/next")).resolve("0.log");
    append(next, "3\n");
    Files.delete(link);
    Files.createSymbolicLink(link, next);
    pause(restarts);
    assertRead("web 2", "web 3");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void linkThatIsGoneLeavesItsTargetToBeRead(boolean restarts) throws IOException {
    append(log, "2\n");
    Files.delete(link);
    pause(restarts);
    assertRead("web 2");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void targetAtTheEndOfAChainIsReadToItsEnd(boolean restarts) throws IOException {
    Path docker = Files.createDirectories(folder.resolve("docker/ab"));
    Path json = docker.resolve("ab-json.log");
    Files.writeString(json, "x\n");
    Files.createSymbolicLink(log.resolveSibling("1.log"), json);
    Files.createSymbolicLink(
        link.resolveSibling("shop.log"), Path.of("..", "pods", "web", "1.log"));
    assertThat(follow.read()).containsExactly("shop x");
    append(json, "y\n");
    Files.move(json, docker.resolve("ab-json.log.1"));
    append(json, "z\n");
    pause(restarts);
    assertRead("shop y", "shop z");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void fileInAFolderThatTheLinkLeftIsReadToItsEnd(boolean restarts) throws IOException {
    follow.close();
    Path first = Files.createDirectories(folder.resolve("releases/1/log"));
    Path second = Files.createDirectories(folder.resolve("releases/2/log"));
    Path current = Files.createSymbolicLink(folder.resolve("current"), Path.of("releases/1"));
    append(first.resolve("app.log"), "1\n");
    follow = new FollowFixture(folder.resolve("cp2"), current.resolve("log/*.log"));
    assertThat(follow.read()).containsExactly("app 1");
    append(first.resolve("app.log"), "2\n");
    Files.delete(current);
    Files.createSymbolicLink(current, Path.of("releases/2"));
    append(second.resolve("app.log"), "3\n");
    pause(restarts);
    assertRead("app 2", "app 3");
  }

  @Test
  void deadLinksWaitAndLoopsAreSaidOnce() throws IOException {
    Path containers = folder.resolve("containers");
    Path target = folder.resolve("pods/web/5.log");
    Files.createSymbolicLink(containers.resolve("dead.log"), target);
    Files.createSymbolicLink(containers.resolve("loop.log"), Path.of("loop.log"));
    Files.createSymbolicLink(containers.resolve("there.log"), Path.of("back.log"));
    Files.createSymbolicLink(containers.resolve("back.log"), Path.of("there.log"));
    append(log, "2\n");
    assertRead("web 2");
    assertThat(follow.counters.errors.sum()).isEqualTo(3);
    assertThat(follow.said).filteredOn(line -> line.contains("loop.log")).hasSize(1);
    assertThat(follow.said).noneMatch(line -> line.contains("dead.log"));
    append(target, "3\n");
    assertRead("dead 3");
  }

  /** As the checkpoints of versions that did not know where links led. */
  @Test
  void checkpointThatDoesNotKnowWhereTheLinkLedIsReadAsWell() throws IOException {
    follow.checkpoint.states().forEach(state -> state.home = new FileLocation(state.path, null));
    follow.checkpoint.states().forEach(state -> follow.checkpoint.describe(state, false));
    append(log, "2\n");
    Files.move(log, log.resolveSibling("0.log.1"));
    append(log, "3\n");
    pause(true);
    assertRead("web 2", "web 3");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void restOfATruncatedTargetIsReadFromItsCopy(boolean restarts) throws IOException {
    append(log, "2".repeat(Content.HEAD_BYTES) + "\n");
    assertRead("web " + "2".repeat(Content.HEAD_BYTES));
    append(log, "3\n");
    Files.copy(log, log.resolveSibling("0.log.1"));
    Files.writeString(log, "4\n");
    pause(restarts);
    List<String> read = follow.read();
    read.addAll(follow.read());
    assertThat(read).containsExactlyInAnyOrder("web 3", "web 4");
  }
}
