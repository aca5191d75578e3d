package io.cordwood.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program of a Debian package: installed, or only unpacked in a folder, so that no service is
 * started. Ends with the test.
 */
final class DebianProgram implements AutoCloseable {
  private static final Path ROOT = Path.of(System.getProperty("cordwood.it.senders", "/"));

  private final Process process;
  private final Path output;

  private DebianProgram(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Whether a program is there; if not, says that it is not tried. */
  static boolean has(String program) {
    boolean isHere = Files.isExecutable(ROOT.resolve(program));
    if (!isHere) {
      Skipped.say(program, "it is not in " + ROOT);
    }
    return isHere;
  }

  /** The path of what belongs to packages. */
  static Path path(String first) {
    return ROOT.resolve(first);
  }

  /** The one folder within a folder whose name ends so. */
  static Path folder(String in, String end) throws IOException {
    try (Stream<Path> all = Files.list(ROOT.resolve(in))) {
      return all.filter(each -> each.toString().endsWith(end) && Files.isDirectory(each))
          .findFirst()
          .orElseThrow(() -> new IOException(ROOT.resolve(in) + ": expected a folder *" + end));
    }
  }

  /** Starts a program in a folder, with what it prints beside that. */
  static DebianProgram start(Path folder, String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(ROOT.resolve(program).toString()));
    command.addAll(List.of(arguments));
    Files.createDirectories(folder);
    Path output = folder.resolveSibling(folder.getFileName() + ".out");
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    if (!ROOT.equals(Path.of("/"))) {
      builder.environment().put("LD_LIBRARY_PATH", libraries());
    }
    return new DebianProgram(builder.start(), output);
  }

  private static String libraries() throws IOException {
    List<Path> all = new ArrayList<>();
    for (String each : List.of("lib", "usr/lib")) {
      if (Files.isDirectory(ROOT.resolve(each))) {
        try (Stream<Path> below = Files.list(ROOT.resolve(each))) {
          below.filter(path -> path.toString().endsWith("-linux-gnu")).forEach(all::add);
        }
      }
    }
    all.addAll(all.stream().map(path -> path.resolve("systemd")).toList());
    all.add(ROOT.resolve("usr/lib/syslog-ng"));
    return all.stream().map(Path::toString).collect(Collectors.joining(":"));
  }

  boolean runs() {
    return process.isAlive();
  }

  /** What it printed so far. */
  String printed() throws IOException {
    return Files.readString(output);
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
