package io.cordwood.common.wire;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A line among the acknowledgements in which a node names the cluster's nodes, for a sender that
 * asks for it:
 *
 * <pre>
 *   self ID LOAD             the node that speaks
 *   node ID HOST:PORT LOAD   another one, and where it takes batches in the same mode
 *   go ID                    the sender had better go to that one, of which a line came before
 *
 *   ID    1 to 64 visible ASCII characters
 *   LOAD  connections, bytes per second, bytes that wait for stores, bytes free on the disk
 * </pre>
 *
 * Words that a later version may add to a line are ignored.
 */
public sealed interface Hint {
  /** The line, with its LF. */
  String line();

  /** The node that speaks. */
  record Self(String id, Load load) implements Hint {
    @Override
    public String line() {
      return "self " + id + figures(load);
    }
  }

  /**
   * Another node.
   *
   * @param address {@code host:port}; whether to speak TLS there is the sender's choice
   */
  record Other(String id, String address, Load load) implements Hint {
    @Override
    public String line() {
      return "node " + id + " " + address + figures(load);
    }
  }

  /** The node that the sender had better go to. */
  record Go(String id) implements Hint {
    @Override
    public String line() {
      return "go " + id + "\n";
    }
  }

  Pattern START = Pattern.compile("(self|node|go) .*");
  Pattern ID = Pattern.compile("[!-~]{1,64}");
  Pattern ADDRESS = Pattern.compile("[A-Za-z0-9._:%\\[\\]-]{3,270}");
  Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  /** Whether a line means to be one. */
  static boolean isMeant(String line) {
    return START.matcher(line).matches();
  }

  /**
   * Reads a line, without its LF.
   *
   * @return null if it is malformed
   */
  static @Nullable Hint parse(String line) {
    String[] words = line.split(" ", -1);
    if (words.length < 2 || !ID.matcher(words[1]).matches()) {
      return null;
    }
    return switch (words[0]) {
      case "go" -> new Go(words[1]);
      case "self" -> self(words);
      case "node" -> other(words);
      default -> null;
    };
  }

  private static @Nullable Hint self(String[] words) {
    Load load = load(words, 2);
    return load == null ? null : new Self(words[1], load);
  }

  private static @Nullable Hint other(String[] words) {
    Load load = load(words, 3);
    boolean hasAddress = load != null && ADDRESS.matcher(words[2]).matches();
    return load != null && hasAddress ? new Other(words[1], words[2], load) : null;
  }

  private static @Nullable Load load(String[] words, int at) {
    if (words.length < at + 4) {
      return null;
    }
    long[] figures = new long[4];
    for (int i = 0; i < figures.length; i++) {
      if (!NUMBER.matcher(words[at + i]).matches()) {
        return null;
      }
      figures[i] = Long.parseLong(words[at + i]);
    }
    return new Load(figures[0], figures[1], figures[2], figures[3]);
  }

  private static String figures(Load load) {
    return " %d %d %d %d\n"
        .formatted(
            load.connections(), load.bytesPerSecond(), load.backlogBytes(), load.freeDiskBytes());
  }
}
