package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dist/release} on a small project of some of this one's files; nothing is built. */
final class ReleaseTest {
  @TempDir private Path folder;
  private Path project;
  private Path files;

  @BeforeEach
  void makeProject() throws IOException {
    project = folder.resolve("a project");
    files = folder.resolve("files of the release");
    for (String file :
        new String[] {
          "dist/release", "pom.xml", "forwarder/logback/pom.xml", "docs/appenders.md"
        }) {
      Path copy = project.resolve(file);
      Files.createDirectories(copy.getParent());
      Files.copy(Path.of("..").resolve(file), copy);
    }
    Files.writeString(
        project.resolve("CHANGELOG.md"),
        """
        # Changelog

        ## 9.8.7 (unreleased)

        - New.

        ## 9.8.6 (2026-01-01)

        - Old.
        """);
    git("init", "--quiet");
    commit();
  }

  private String git(String... arguments) throws IOException {
    String[] command = new String[arguments.length + 7];
    String[] git = {
      "git",
      "-C",
      project.toString(),
      "-c",
      "user.name=somebody",
      "-c",
      "user.email=somebody@localhost"
    };
    System.arraycopy(git, 0, command, 0, git.length);
    System.arraycopy(arguments, 0, command, git.length, arguments.length);
    return Tool.run(command);
  }

  private void commit() throws IOException {
    git("add", "--all");
    git("commit", "--quiet", "--message", "Files");
  }

  private String release(String... arguments) throws IOException {
    String somebody =
        "export GIT_AUTHOR_NAME=somebody GIT_COMMITTER_NAME=somebody"
            + " GIT_AUTHOR_EMAIL=somebody@localhost GIT_COMMITTER_EMAIL=somebody@localhost;";
    String[] command = new String[arguments.length + 4];
    command[0] = "bash";
    command[1] = "-c";
    command[2] = somebody + " \"$0\" --no-build \"$@\" 2>&1 || echo \"ended with $?\"";
    command[3] = project.resolve("dist/release").toString();
    System.arraycopy(arguments, 0, command, 4, arguments.length);
    return Tool.run(command);
  }

  @Test
  void notesAreThoseOfTheVersionAndNothingIsChangedHere() throws IOException {
    assertThat(release("9.8.7", files.toString()))
        .contains("nothing was published or changed here")
        .endsWith("  notes.md\n");
    assertThat(files.resolve("notes.md")).hasContent("- New.\n");
    assertThat(files.resolve("SHA256SUMS")).content().matches("[0-9a-f]{64}  notes.md\n");
    assertThat(git("status", "--porcelain")).isEmpty();
    assertThat(git("tag")).isEmpty();
    assertThat(git("log", "--format=%s")).isEqualTo("Files\n");
  }

  @Test
  void versionAndAddressAreInTheTaggedCommitAndTheNextVersionBegins() throws IOException {
    release("--commit", "--home", "https://logs.example.org/x", "9.8.7", files.toString());
    assertThat(git("log", "--format=%s")).isEqualTo("Begin 9.8.8-SNAPSHOT\nRelease 9.8.7\nFiles\n");
    String released = "v9.8.7:";
    assertThat(git("show", released + "pom.xml"))
        .contains("<version>9.8.7</version>", "<project.home>https://logs.example.org/x</");
    for (String file : new String[] {"forwarder/logback/pom.xml", "docs/appenders.md"}) {
      assertThat(git("show", released + file))
          .contains("<version>9.8.7</version>")
          .doesNotContain("SNAPSHOT");
    }
    assertThat(git("show", released + "CHANGELOG.md"))
        .containsPattern("\n## 9\\.8\\.7 \\(\\d{4}-\\d\\d-\\d\\d\\)\n");
    assertThat(project.resolve("pom.xml")).content().contains("<version>9.8.8-SNAPSHOT</version>");
    assertThat(project.resolve("docs/appenders.md")).content().contains("<version>9.8.7</");
    assertThat(project.resolve("CHANGELOG.md"))
        .content()
        .contains("## 9.8.8 (unreleased)\n\n## 9.8.7 (2");
  }

  /** All modules of {@code forwarder} but the program are for applications. */
  @Test
  void billOfMaterialsNamesAllArtifactsForApplications() throws IOException {
    Path forwarder = Path.of("../forwarder");
    String bill = Files.readString(forwarder.resolve("bom/pom.xml"));
    Pattern module = Pattern.compile("<module>(?!agent|bom)([^<]+)</module>");
    List<String> modules =
        module
            .matcher(Files.readString(forwarder.resolve("pom.xml")))
            .results()
            .map(each -> each.group(1))
            .toList();
    assertThat(modules).hasSizeGreaterThan(2);
    for (String each : modules) {
      String pom = Files.readString(forwarder.resolve(each).resolve("pom.xml"));
      String own = pom.substring(pom.indexOf("</parent>"));
      assertThat(bill)
          .contains(own.substring(own.indexOf("<artifactId>"), own.indexOf("\n  <name>")));
      assertThat(own).contains("<description>");
    }
  }

  @Test
  void whatCannotBeReleasedIsRefused() throws IOException {
    assertThat(release("1.2", files.toString())).contains("expected a version such as 0.1.0");
    assertThat(release("1.2.3", files.toString())).contains("expected '## 1.2.3' in CHANGELOG.md");
    assertThat(release("9.8.7", project.toString())).contains("expected an empty folder");
    Files.writeString(project.resolve("pom.xml"), "changed");
    assertThat(release("9.8.7", files.toString()))
        .contains("expected no changes that are not committed")
        .endsWith("ended with 2\n");
    git("checkout", "--quiet", "pom.xml");
    git("tag", "v9.8.7");
    assertThat(release("9.8.7", files.toString()))
        .contains("expected a new version, found the tag");
  }
}
