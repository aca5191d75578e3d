package io.cordwood.agent.follow;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a checkpoint, whatever became of it. A line that is not whole at the end was being written:
 * nothing of it was sent. Damage anywhere else, or a file that was cut, costs what stood there:
 * lines of logs may then be sent twice, which is said, and never left out.
 */
final class CheckpointReader {
  static final String HEADER = "cordwood-forward-checkpoint 1 bytes=";

  private static final int CARRY_WORDS = 3;

  /** Lines that are looked at in a file without a header. */
  private static final int LOOKED_AT = 1000;

  private static final Pattern ANY_HEADER =
      Pattern.compile("cordwood-forward-checkpoint (\\d+)(?: bytes=(\\d+))?.*");

  private final Path file;
  private final Consumer<String> says;
  private final long millis = System.currentTimeMillis();
  private final Map<Long, FileState> states = new LinkedHashMap<>();
  private String cursor = "";
  private int bad;
  private boolean isDamaged;

  CheckpointReader(Path file, Consumer<String> says) {
    this.file = file;
    this.says = says;
  }

  /**
   * The files' states, by number.
   *
   * @throws IOException when it cannot be read, or something else has written it
   */
  Map<Long, FileState> read() throws IOException {
    String first;
    Matcher header;
    try (var lines =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      first = Objects.requireNonNullElse(lines.readLine(), "");
      header = ANY_HEADER.matcher(first);
      if (header.matches() && header.group(1).equals("1") && header.group(2) != null) {
        readLines(lines);
        renewWhatIsDamaged(!header.group(2).equals(Long.toString(Files.size(file))));
        return states;
      }
      refuseText(first, lines);
    } catch (NoSuchFileException e) {
      return states;
    }
    if (header.matches() && !header.group(1).equals("1")) {
      throw new IOException(
          "checkpoint "
              + file
              + ": expected version 1, found "
              + header.group(1)
              + ", which another version of cordwood has written");
    }
    setAside(first);
    return states;
  }

  /** A journal's cursor; empty if there is none. */
  String cursor() {
    return cursor;
  }

  private void readLines(BufferedReader lines) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (!line.isEmpty()) {
        readLine(line);
      }
    }
  }

  private void renewWhatIsDamaged(boolean isCut) {
    if (isCut || isDamaged) {
      says.accept(
          "checkpoint "
              + file
              + (isCut ? " was cut" : " has damaged lines")
              + ": what it has lost is sent again, so that lines may be there twice");
    }
    if (isCut || bad > 0) {
      states.values().forEach(state -> state.renewStream(millis));
    }
  }

  /** Damage leaves lines of a checkpoint, or what is no text; a text is somebody's. */
  private void refuseText(String first, BufferedReader lines) throws IOException {
    boolean isText = !first.isBlank() && first.chars().noneMatch(CheckpointReader::isNoText);
    if (isText
        && !HEADER.startsWith(first)
        && !ANY_HEADER.matcher(first).matches()
        && lines.lines().limit(LOOKED_AT).allMatch(line -> CheckpointLine.words(line) == null)) {
      throw new IOException(
          ("checkpoint %s: expected it to begin with '%s', found '%s': it stays as it is, being a"
                  + " text of something else; name a file of its own")
              .formatted(file, HEADER, beginning(first)));
    }
  }

  private static boolean isNoText(int character) {
    return character == '\uFFFD' || (Character.isISOControl(character) && character != '\t');
  }

  private static String beginning(String line) {
    return line.substring(0, Math.min(line.length(), 40)).replaceAll("\\p{Cntrl}|\\P{ASCII}", "?");
  }

  private void setAside(String found) throws IOException {
    Path damaged = file.resolveSibling(file.getFileName() + ".damaged");
    Files.move(file, damaged, StandardCopyOption.REPLACE_EXISTING);
    says.accept(
        "checkpoint "
            + file
            + ": expected it to begin with '"
            + HEADER
            + "', found '"
            + beginning(found)
            + "'; it is kept as "
            + damaged
            + ", and files are read from their beginning: lines may be there twice");
  }

  private void readLine(String line) {
    String[] words = CheckpointLine.words(line);
    if (words == null) {
      bad++;
      return;
    }
    isDamaged |= bad > 0;
    if (words[0].equals("file")) {
      readFile(words);
      return;
    }
    if (words[0].equals("journal")) {
      cursor = CheckpointLine.cursor(words);
      return;
    }
    FileState state = states.get(Long.valueOf(words[1]));
    if (state == null) {
      isDamaged = true;
      return;
    }
    switch (words[0]) {
      case "at" -> {
        state.giveUpPlans(0, millis);
        state.standAt(
            Long.parseLong(words[2]), CheckpointLine.hex(words[3]), RecordStamp.parse(words[4]));
      }
      case "next" -> state.goOnAt(RecordStamp.parse(words[2]));
      case "carry" -> carry(words, state);
      case "plan" -> plan(state, CheckpointLine.planned(words, state.labels));
      case "ack" -> acknowledge(state, Long.parseLong(words[2]), CheckpointLine.hex(words[3]));
      case "drop" -> {
        state.giveUpPlans(Long.parseLong(words[2]), millis);
        state.goOnAt(RecordStamp.parse(words[3]));
      }
      case "gone" -> states.remove(state.id);
      default -> isDamaged = true;
    }
  }

  private void readFile(String[] words) {
    FileState state = CheckpointLine.state(words, millis);
    FileState known = states.putIfAbsent(state.id, state);
    if (known != null) {
      known.key = state.key;
      known.head = state.head;
      known.path = state.path;
      known.home = state.home;
      known.awayMillis = state.awayMillis;
      known.labels = state.labels;
    }
  }

  private void plan(FileState state, PlannedBatch plan) {
    if (plan.from() == state.position()) {
      state.plan(plan);
    } else {
      isDamaged = true; // and what it says is read again
    }
  }

  private void carry(String[] words, FileState to) {
    byte[] bytes = CheckpointLine.carried(words);
    if (words.length <= CARRY_WORDS) {
      to.holdCarried(bytes);
      return;
    }
    to.carry(bytes);
    FileState from = states.get(Long.valueOf(words[CARRY_WORDS]));
    if (from != null) {
      long begin = from.position();
      long end = Long.parseLong(words[4]);
      int crc = CheckpointLine.hex(words[5]);
      int tail = CheckpointLine.hex(words[6]);
      plan(from, new PlannedBatch(begin, end, from.next(), 0, crc, tail, from.labels));
    }
  }

  private void acknowledge(FileState state, long position, int tail) {
    state.arrive(position);
    if (state.arrived() != position) {
      isDamaged = true;
      state.giveUpPlans(0, millis);
      state.standAt(position, tail, state.next());
    }
  }
}
