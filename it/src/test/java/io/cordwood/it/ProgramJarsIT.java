package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Programs have jars with no more than they need, chosen by name in the build. Here each class that
 * one can come to from its main class, by any reference, is looked for in its jar.
 */
final class ProgramJarsIT {
  private static final String OURS = "io/cordwood/";

  @ParameterizedTest
  @CsvSource({
    "grep, cli/search/GrepCommand cli/search/CacheTraining",
    "grep, cli/search/TailCommand cli/search/ReadCommand cli/search/TopicsCommand",
    "grep, cli/search/HistogramCommand cli/search/StatsCommand",
    "forward, agent/ForwardCommand",
    "ingeststore, dist/server/IngestStoreCommand",
  })
  void aProgramHasEveryClassThatItCanComeTo(String program, String mains) throws IOException {
    assertThat(missing("cordwood-" + program + ".jar", mains)).isEmpty();
  }

  @Test
  void theJarOfAllProgramsHasEveryClass() throws IOException {
    assertThat(missing("cordwood.jar", "dist/Cordwood")).isEmpty();
  }

  /** Nodes of one tier name the classes of others, and never come to them. */
  @ParameterizedTest
  @CsvSource({"ingest, Ingest, store", "store, Store, ingest"})
  void aNodeLacksOnlyTheOtherTier(String program, String name, String other) throws IOException {
    List<String> missing =
        missing("cordwood-" + program + ".jar", "dist/server/" + name + "Command");
    assertThat(missing).isNotEmpty().allMatch(each -> each.startsWith(OURS + other + "/"));
  }

  private static List<String> missing(String name, String mains) throws IOException {
    Map<String, String> namedBy = new HashMap<>();
    Deque<String> open = new ArrayDeque<>();
    for (String main : mains.split(" ", -1)) {
      namedBy.put(OURS + main, "the launcher");
      open.add(OURS + main);
    }
    List<String> missing = new ArrayList<>();
    try (JarFile jar = new JarFile(Program.JARS.resolve(name).toFile())) {
      while (!open.isEmpty()) {
        String each = open.remove();
        JarEntry entry = jar.getJarEntry(each + ".class");
        if (entry == null) {
          missing.add(each + ", named by " + namedBy.get(each));
          continue;
        }
        for (String next : named(jar, entry)) {
          if (namedBy.putIfAbsent(next, each) == null) {
            open.add(next);
          }
        }
      }
    }
    return missing;
  }

  private static List<String> named(JarFile jar, JarEntry entry) throws IOException {
    List<String> names = new ArrayList<>();
    try (InputStream in = jar.getInputStream(entry)) {
      for (var constant : ClassFile.of().parse(in.readAllBytes()).constantPool()) {
        if (constant instanceof ClassEntry named) {
          String element = named.asInternalName().replaceFirst("^\\[+L(.*);$", "$1");
          if (element.startsWith(OURS)) {
            names.add(element);
          }
        }
      }
    }
    return names;
  }
}
