package io.cordwood.common.deletion;

import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A set of tombstones as text: in a file, and from node to node. In ASCII:
 *
 * <pre>
 *   # deletions 1, 2 of sum 0123456789abcdef, whole | lost
 *   ID  FROM-TO  shop*,audit  -  who           crc32c
 *   ID  FROM-TO  shop         …  who%20else    crc32c
 * </pre>
 *
 * In the order of the ids; fields are separated by tabs. The fourth is a minus, or in base 64 the
 * ULIDs of the records, 16 bytes each. A line's checksum is that of all before its last tab.
 */
final class TombstoneText {
  /** Above what as many tombstones as there may be take. */
  static final int MAX_BYTES = 64 << 20;

  private static final String ALL_RECORDS = "-";
  private static final int FIELDS = 6;

  private TombstoneText() {}

  /**
   * The contents of a text.
   *
   * @param known of the lines that are intact
   * @param lost whether some may be missing that whoever wrote it has known
   * @param damage why this is not a text as it was written; empty if it is one
   */
  record Read(Tombstones known, boolean lost, Optional<String> damage) {}

  /**
   * Writes a set.
   *
   * @param lost whether some may be missing
   */
  static String write(Tombstones set, boolean lost) {
    var text = new StringBuilder(head(set, lost)).append('\n');
    for (Tombstone it : set.all()) {
      String line =
          String.join(
              "\t",
              it.id().toString(),
              it.range().toString(),
              String.join(",", it.topics().texts()),
              it.records().map(NamedRecords::toString).orElse(ALL_RECORDS),
              URLEncoder.encode(it.who(), StandardCharsets.UTF_8));
      text.append(line).append('\t').append(checksum(line)).append('\n');
    }
    return text.toString();
  }

  private static String head(Tombstones set, boolean lost) {
    return "# deletions 1, %d of sum %s, %s"
        .formatted(set.size(), set.sumText(), lost ? "lost" : "whole");
  }

  private static String checksum(String line) {
    var checksum = new CRC32C();
    checksum.update(line.getBytes(StandardCharsets.ISO_8859_1));
    return "%08x".formatted(checksum.getValue());
  }

  /**
   * Reads a text, as far as it is intact.
   *
   * @throws RefusedTombstoneException if it has far too many, or two that differ in all but the id
   */
  static Read read(String text) throws RefusedTombstoneException {
    List<Tombstone> found = new ArrayList<>();
    String wrong = "";
    for (String line : text.lines().filter(it -> !it.startsWith("#")).toList()) {
      try {
        found.add(tombstone(line));
      } catch (RuntimeException e) {
        wrong = ": " + e.getMessage();
      }
    }
    Tombstones known = Tombstones.NONE.plus(found);
    boolean lost = text.startsWith(head(known, true) + "\n");
    boolean isWhole = text.equals(write(known, lost));
    return new Read(
        known,
        lost || !isWhole,
        isWhole ? Optional.empty() : Optional.of("it is not as it was written" + wrong));
  }

  private static Tombstone tombstone(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("expected 6 fields, found " + fields.length);
    }
    String checked = line.substring(0, line.lastIndexOf('\t'));
    if (!checksum(checked).equals(fields[5])) {
      throw new IllegalArgumentException(
          "expected the checksum %s, found %s".formatted(checksum(checked), fields[5]));
    }
    return new Tombstone(
        Ulid.parse(fields[0]),
        new TopicPatterns(List.of(fields[2].split(",", -1))),
        UlidRange.parse(fields[1]).orElseThrow(),
        fields[3].equals(ALL_RECORDS)
            ? Optional.empty()
            : Optional.of(NamedRecords.parse(fields[3])),
        URLDecoder.decode(fields[4], StandardCharsets.UTF_8));
  }
}
