package io.cordwood.agent.follow;

import io.cordwood.common.wire.Labels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * One line of a checkpoint: a checksum of the rest, a word, a file's number, and what the word
 * wants. Numbers are decimal, checksums and stamps hexadecimal, and what is text has {@code %XX} in
 * place of blanks, line feeds and {@code %}.
 *
 * <pre>
 * file ID device inode headBytes headCrc topic multiline path home device inode away labels format
 *                                        a content; again when that changes. The path is its name,
 *                                        home where links led from there, then that one's folder,
 *                                        and since when the file was not found; its labels are those
 *                                        of the plans that follow. These six can lack
 * at   ID position tail stamp                                   so far all has arrived, no plans
 * plan ID from to stamp records crc tail                        is about to be sent
 * next ID stamp                                                 of what will be planned next
 * ack  ID position tail                                         has arrived
 * carry ID bytes                                                in Base64: they stand before the
 * carry ID bytes ID to crc tail                                 file's; and what another one has up
 *                                                               to here is over, being these
 * drop ID from stamp                                            plans that cannot be made again
 * gone ID                                                       is forgotten
 * journal cursor                                                up to it, all has arrived
 * </pre>
 */
final class CheckpointLine {
  private static final int CRC_CHARS = 8;
  private static final int WORDS_WITH_HOME = 13;
  private static final int WORDS_WITH_LABELS = 14;
  private static final int WORDS_WITH_FORMAT = 15;
  private static final FileStat.Key NO_FOLDER = new FileStat.Key(0, 0);

  private CheckpointLine() {}

  static String file(FileState state) {
    return file(state, state.labels);
  }

  /** The line before plans that have these labels. */
  static String file(FileState state, Labels labels) {
    return line(
        "file %d %d %d %d %08x %s %s %s %s %d %d %d %s %s"
            .formatted(
                state.id,
                state.key.device(),
                state.key.inode(),
                state.head.bytes(),
                state.head.crc(),
                state.topic,
                "=" + escaped(state.multiline.spec()),
                escaped(state.path.toString()),
                escaped(state.home.path().toString()),
                folder(state.home).device(),
                folder(state.home).inode(),
                state.awayMillis,
                "=" + escaped(new String(labels.bytes(), StandardCharsets.UTF_8)),
                state.format));
  }

  private static FileStat.Key folder(FileLocation home) {
    return home.folder() == null ? NO_FOLDER : home.folder();
  }

  static String at(FileState state) {
    return line(
        "at %d %d %08x %s".formatted(state.id, state.arrived(), state.arrivedTail(), state.next()));
  }

  static String plan(FileState state, PlannedBatch plan) {
    return line(
        "plan %d %d %d %s %d %08x %08x"
            .formatted(
                state.id,
                plan.from(),
                plan.to(),
                plan.stamp(),
                plan.records(),
                plan.crc(),
                plan.tail()));
  }

  /** Bytes that a file begins with. */
  static String carried(FileState state) {
    return line("carry " + state.id + " " + base64(state.carried()));
  }

  /** Bytes that a file begins with, which are those that another one's plan has. */
  static String carry(FileState to, byte[] bytes, FileState from, PlannedBatch plan) {
    return line(
        "carry %d %s %d %d %08x %08x"
            .formatted(to.id, base64(bytes), from.id, plan.to(), plan.crc(), plan.tail()));
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** The bytes in a line {@code carry}. */
  static byte[] carried(String[] words) {
    return Base64.getDecoder().decode(words[2]);
  }

  static String ack(FileState state) {
    return line("ack %d %d %08x".formatted(state.id, state.arrived(), state.arrivedTail()));
  }

  static String next(FileState state) {
    return line("next %d %s".formatted(state.id, state.next()));
  }

  static String drop(FileState state, long from) {
    return line("drop %d %d %s".formatted(state.id, from, state.next()));
  }

  static String journal(String cursor) {
    return line("journal =" + escaped(cursor));
  }

  /** The cursor in a line {@code journal}. */
  static String cursor(String[] words) {
    return unescaped(words[1].substring(1));
  }

  static String gone(FileState state) {
    return line("gone " + state.id);
  }

  private static String line(String text) {
    return crc(text) + " " + text + "\n";
  }

  private static String crc(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return "%08x".formatted(Content.checksum(bytes, 0, bytes.length));
  }

  /** The words of a line; null when it is not as it was written. */
  static String @Nullable [] words(String line) {
    boolean isWhole =
        line.length() > CRC_CHARS + 1
            && line.charAt(CRC_CHARS) == ' '
            && line.startsWith(crc(line.substring(CRC_CHARS + 1)));
    return isWhole ? line.substring(CRC_CHARS + 1).split(" ", -1) : null;
  }

  /** The state in a line {@code file}. */
  static FileState state(String[] words, long millis) {
    FileState state =
        new FileState(
            Long.parseLong(words[1]),
            key(words, 2),
            Path.of(unescaped(words[8])),
            new Content.Head(Integer.parseInt(words[4]), hex(words[5])),
            new FileState.Cut(
                words[6],
                Multiline.parse(unescaped(words[7].substring(1))),
                words.length >= WORDS_WITH_FORMAT
                    ? LineFormat.valueOf(words[14])
                    : LineFormat.plain),
            RecordStamp.first(millis));
    if (words.length >= WORDS_WITH_HOME) {
      FileStat.Key folder = key(words, 10);
      Path home = Path.of(unescaped(words[9]));
      state.home =
          new FileLocation(
              home.equals(state.path) ? state.path : home,
              folder.equals(NO_FOLDER) ? null : folder);
      state.awayMillis = Long.parseLong(words[12]);
    }
    if (words.length >= WORDS_WITH_LABELS) {
      state.labels =
          Labels.decode(unescaped(words[13].substring(1)).getBytes(StandardCharsets.UTF_8));
    }
    return state;
  }

  private static FileStat.Key key(String[] words, int at) {
    return new FileStat.Key(Long.parseLong(words[at]), Long.parseLong(words[at + 1]));
  }

  /**
   * The batch in a line {@code plan}.
   *
   * @param labels of the file in the lines before
   */
  static PlannedBatch planned(String[] words, Labels labels) {
    return new PlannedBatch(
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        RecordStamp.parse(words[4]),
        Integer.parseInt(words[5]),
        hex(words[6]),
        hex(words[7]),
        labels);
  }

  static int hex(String word) {
    return Integer.parseUnsignedInt(word, 16);
  }

  private static String escaped(String text) {
    var escaped = new StringBuilder();
    text.chars()
        .forEach(c -> {
          if (c <= ' ' || c == '%') {
            escaped.append("%%%02X".formatted(c));
          } else {
            escaped.append((char) c);
          }
        });
    return escaped.toString();
  }

  private static String unescaped(String text) {
    var plain = new StringBuilder();
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '%') {
        plain.append((char) Integer.parseInt(text.substring(at + 1, at + 3), 16));
        at += 2;
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }
}
