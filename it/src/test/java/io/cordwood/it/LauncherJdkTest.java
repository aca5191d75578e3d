package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which JDK the launcher takes, and what it says if none will do. */
final class LauncherJdkTest {
  private static final Path RULE = Path.of("../.mvn/find-jdk.sh");

  @TempDir private Path folder;
  private Path root;
  private Path tools;

  /** With a PATH of nothing but what the rule itself needs. */
  @BeforeEach
  void makeMachine() throws IOException {
    root = Files.createDirectories(folder.resolve("root of all"));
    tools = Files.createDirectories(folder.resolve("tools"));
    String readlink = Tool.run("sh", "-c", "command -v readlink").strip();
    executable(tools.resolve("readlink"), "exec %s \"$@\"\n".formatted(readlink));
  }

  private Path jdk(Path home, String version, String... programs) throws IOException {
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(
        home.resolve("release"),
        "IMPLEMENTOR=\"Somebody\"\nJAVA_VERSION=\"%s\"\nJAVA_VERSION_DATE=\"2026-01-20\"\n"
            .formatted(version));
    for (String program : programs) {
      executable(home.resolve("bin").resolve(program), "");
    }
    return home;
  }

  private static void executable(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + script);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private String find(Map<String, String> environment) throws IOException {
    var shell =
        new ProcessBuilder(
            "/bin/sh",
            "-euc",
            ". \"$1\"; find_jdk javac \"$2\" && echo \"takes $JAVA_HOME\" || exit 0",
            "sh",
            RULE.toString(),
            root.toString());
    shell.environment().clear();
    shell.environment().put("PATH", tools.toString());
    shell.environment().putAll(environment);
    Process process = shell.redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  @Test
  void theOneOfJavaHomeIsTakenIfItWillDo() throws IOException {
    jdk(root.resolve("usr/lib/jvm/other"), "26", "java", "javac");
    Path named = jdk(folder.resolve("with a space"), "25.0.3", "java", "javac");
    assertThat(find(Map.of("JAVA_HOME", named.toString()))).isEqualTo("takes " + named);
  }

  @Test
  void oneInAUsualPlaceIsTakenInsteadOfOneThatWillNotDo() throws IOException {
    Path old = jdk(folder.resolve("old"), "17.0.19", "java", "javac");
    Path home = folder.resolve("a home");
    Path inHome = jdk(home.resolve(".sdkman/candidates/java/25-tem"), "25", "java", "javac");
    assertThat(find(Map.of("JAVA_HOME", old.toString(), "HOME", home.toString())))
        .isEqualTo("takes " + inHome);
    Path usual = jdk(root.resolve("usr/lib/jvm/a jdk"), "25", "java", "javac");
    for (String javaHome : List.of(old.toString(), "/nowhere")) {
      assertThat(find(Map.of("JAVA_HOME", javaHome))).isEqualTo("takes " + usual);
    }
  }

  @Test
  void theOneOnThePathIsTakenThroughItsLinks() throws IOException {
    Path usual = jdk(folder.resolve("somewhere"), "27-ea", "java", "javac");
    Files.createSymbolicLink(tools.resolve("java"), usual.resolve("bin/java"));
    assertThat(find(Map.of())).isEqualTo("takes " + usual);
  }

  @Test
  void whatWasFoundIsNamedAndALineThatGetsARightOne() throws IOException {
    assertThat(find(Map.of()))
        .startsWith("cordwood: expected a JDK of release 25 or newer, found none. This line")
        .contains("\n  curl -s https://get.sdkman.io | bash");
    jdk(root.resolve("usr/lib/jvm/java-11"), "11.0.2", "java", "javac");
    Path newest = jdk(root.resolve("usr/lib/jvm/java-17"), "17.0.19", "java", "javac");
    jdk(root.resolve("usr/lib/jvm/java-8"), "1.8.0_402", "java", "javac");
    assertThat(find(Map.of())).contains(", found 17.0.19 in " + newest + ". This");
    assertThat(find(Map.of("JAVA_HOME", "/nowhere")))
        .contains(", found 17.0.19 in " + newest + " (JAVA_HOME is /nowhere). This");
    Path jre = jdk(root.resolve("usr/lib/jvm/jre-25"), "25.0.1", "java");
    assertThat(find(Map.of())).contains(", found 25.0.1 in " + jre + ", without javac. This");
  }

  @Test
  void theLineIsOneForThisMachine() throws IOException {
    executable(tools.resolve("apt-cache"), "[ \"$*\" = 'show openjdk-25-jdk-headless' ]");
    assertThat(find(Map.of())).endsWith("\n  sudo apt-get install openjdk-25-jdk-headless");
    Path home = folder.resolve("home");
    Files.createDirectories(home.resolve(".sdkman/bin"));
    Files.writeString(home.resolve(".sdkman/bin/sdkman-init.sh"), "");
    assertThat(find(Map.of("HOME", home.toString()))).endsWith("\n  sdk install java 25-tem");
    executable(tools.resolve("brew"), "");
    assertThat(find(Map.of())).endsWith("\n  brew install openjdk");
  }
}
