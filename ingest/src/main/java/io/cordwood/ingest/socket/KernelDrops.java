package io.cordwood.ingest.socket;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Datagrams that came to a UDP port and had no room in its socket, as Linux counts them; elsewhere
 * 0. For one thread.
 *
 * <pre>
 *   /proc/net/udp6:   sl  local_address         rem_address … drops
 *                    123: 00000000…0000:2FA9    …             17
 * </pre>
 */
final class KernelDrops {
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/net/udp"), Path.of("/proc/net/udp6"));

  private static final Pattern SPACE = Pattern.compile(" +");

  private final String port;
  private final List<Path> tables;
  private long counted;

  KernelDrops(int port) {
    this(port, TABLES);
  }

  KernelDrops(int port, List<Path> tables) {
    this.port = ":" + String.format(Locale.ROOT, "%04X", port);
    this.tables = tables;
  }

  /** As many more than when it was asked last. */
  long more() {
    long found = 0;
    for (Path table : tables) {
      found += in(table);
    }
    long more = Math.max(0, found - counted);
    counted = Math.max(counted, found);
    return more;
  }

  private long in(Path table) {
    try (var lines = Files.lines(table, StandardCharsets.ISO_8859_1)) {
      return lines
          .map(line -> SPACE.split(line.strip()))
          .filter(words -> words.length > 2 && words[1].endsWith(port))
          .mapToLong(words -> Long.parseLong(words[words.length - 1]))
          .sum();
    } catch (IOException | NumberFormatException | UncheckedIOException e) {
      return 0; // Not Linux.
    }
  }
}
