package io.cordwood.cli.alert;

import io.cordwood.cli.alert.RuleState.Kept;
import io.cordwood.common.file.SharedFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The file that keeps a watch over a restart: a line with version and checksum, then one for each
 * rule. It is replaced as a whole, and forced. One process has it at a time.
 */
final class StateFile implements Closeable {
  private static final Pattern ANY_HEADER = Pattern.compile("cordwood-watch-state (\\d{1,9}) (.*)");

  private final Path file;
  private final Closeable lock;

  private StateFile(Path file, Closeable lock) {
    this.file = file;
    this.lock = lock;
  }

  /**
   * Takes a file, which need not be there yet.
   *
   * @throws IOException if it is a folder, or another process has it
   */
  static StateFile open(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + ": expected a file of state, found a folder");
    }
    return new StateFile(file, SharedFile.lock(file));
  }

  /**
   * The state by rule; nothing if it is damaged. A damaged file is set aside.
   *
   * @param says hears of damage
   * @throws IOException if it cannot be read, or another version has written it
   */
  Map<String, Kept> read(Consumer<String> says) throws IOException {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return Map.of();
    }
    String[] parts = text.split("\n", 2);
    Matcher header = ANY_HEADER.matcher(parts[0]);
    if (header.matches() && !header.group(1).equals("1")) {
      throw new IOException(
          "%s: expected version 1 of the state, found version %s, which another version of cordwood"
                  .formatted(file, header.group(1))
              + " has written");
    }
    if (parts.length < 2 || !(parts[0] + "\n").equals(header(parts[1]))) {
      return setAside("a checksum that fits", says);
    }
    try {
      return rules(parts[1]);
    } catch (RuntimeException e) {
      return setAside("the state of rules (" + e.getMessage() + ")", says);
    }
  }

  private static Map<String, Kept> rules(String lines) {
    Map<String, Kept> rules = new LinkedHashMap<>();
    lines.lines().map(StateJson::read).forEach(each -> rules.put(each.getKey(), each.getValue()));
    return rules;
  }

  private static String header(String body) {
    var sum = new CRC32C();
    sum.update(body.getBytes(StandardCharsets.ISO_8859_1));
    return "cordwood-watch-state 1 crc32c=%08x\n".formatted(sum.getValue());
  }

  private Map<String, Kept> setAside(String expected, Consumer<String> says) throws IOException {
    Path damaged = file.resolveSibling(file.getFileName() + ".damaged");
    Files.move(file, damaged, StandardCopyOption.REPLACE_EXISTING);
    says.accept(
        "%s: expected %s, found damage; it is kept as %s, and all rules begin anew"
            .formatted(file, expected, damaged));
    return Map.of();
  }

  void write(Collection<RuleState> rules) throws IOException {
    var body = new StringBuilder();
    for (RuleState rule : rules) {
      body.append(StateJson.write(rule.rule().name(), rule.kept())).append('\n');
    }
    SharedFile.replace(file, header(body.toString()) + body);
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
