package io.cordwood.ingest.fluent;

import io.cordwood.ingest.RefusedException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line of a container as Docker's driver sends it; one of more than 16 KiB comes in parts.
 *
 * <pre>
 *   {container_id, container_name, source, log
 *    [, partial_message: "true", partial_id, partial_ordinal: "1", partial_last: "false"]
 *    [, what --log-opt labels and env add]}
 * </pre>
 */
final class DockerRecord {
  private static final String LOG = "log";
  private static final String NAME = "container_name";
  private static final String[] LABELS = {"container_id", NAME, "source"};
  private static final String PARTIAL = "partial_";
  private static final int MOST_DIGITS = 6;

  private final String tag;
  private final ForwardStamp stamp;
  private final Packed record;
  private final Map<String, String> labels = new LinkedHashMap<>();
  private final byte[] log;

  private DockerRecord(String tag, ForwardStamp stamp, Packed record, byte[] log) {
    this.tag = tag;
    this.stamp = stamp;
    this.record = record;
    this.log = log;
  }

  /** Takes another key than those that are labels or the text. */
  @FunctionalInterface
  interface Other {
    void accept(String name, Packed value) throws RefusedException;
  }

  /** The record at a place, if it is one of Docker's. */
  static @Nullable DockerRecord of(String tag, ForwardStamp stamp, Packed at)
      throws RefusedException {
    Packed text = at.find(LOG);
    if (text == null || !text.next().isText()) {
      return null;
    }
    byte[] log = Arrays.copyOfRange(text.array(), text.from(), text.to());
    var record = new DockerRecord(tag, stamp, at.copy(), log);
    for (String name : LABELS) {
      Packed value = at.find(name);
      if (value == null || !value.next().isText()) {
        return null;
      }
      record.labels.put(name, value.text());
    }
    record.labels.compute(NAME, (_, name) -> withoutSlash(String.valueOf(name)));
    record.labels.put("tag", tag);
    return record.hasOnlyTexts() ? record : null;
  }

  /** Other drivers of Docker name a container without it. */
  private static String withoutSlash(String name) {
    return name.startsWith("/") ? name.substring(1) : name;
  }

  private boolean hasOnlyTexts() throws RefusedException {
    Packed in = record.copy();
    var _ = in.next();
    for (int left = in.length(); left > 0; left--) {
      if (!in.next().isText() || !in.copy().next().isText()) {
        return false;
      }
      in.skip();
    }
    return true;
  }

  /** One that needs nothing of the message that it came in. */
  DockerRecord kept() throws RefusedException {
    Packed end = record.copy();
    end.skip();
    byte[] own = Arrays.copyOfRange(record.array(), record.at(), end.at());
    var kept = new DockerRecord(tag, stamp.kept(), new Packed().over(own, 0, own.length), log);
    kept.labels.putAll(labels);
    return kept;
  }

  /** About what it takes in memory. */
  int bytes() {
    return log.length + record.size();
  }

  ForwardStamp stamp() {
    return stamp;
  }

  Map<String, String> labels() {
    return labels;
  }

  byte[] log() {
    return log;
  }

  /** The id that all parts of a line have; null if it is whole. */
  @Nullable String partialId() throws RefusedException {
    return text("partial_id");
  }

  /** Which part it is, from 1; 0 if it does not say so. */
  int ordinal() throws RefusedException {
    String text = text("partial_ordinal");
    return text != null && text.matches("[0-9]{1," + MOST_DIGITS + "}")
        ? Integer.parseInt(text)
        : 0;
  }

  boolean isLast() throws RefusedException {
    return "true".equals(text("partial_last"));
  }

  private @Nullable String text(String name) throws RefusedException {
    Packed value = record.find(name);
    return value != null && value.next().isText() ? value.text() : null;
  }

  /**
   * Gives all other keys, in order.
   *
   * @param withPartial whether also those that say which part it is
   */
  void forEachOther(boolean withPartial, Other other) throws RefusedException {
    Packed in = record.copy();
    var _ = in.next();
    for (int left = in.length(); left > 0; left--) {
      var _ = in.next();
      String name = in.text();
      boolean isOther = !name.equals(LOG) && (!labels.containsKey(name) || name.equals("tag"));
      if (isOther && (withPartial || !name.startsWith(PARTIAL))) {
        other.accept(name, in.copy());
      }
      in.skip();
    }
  }
}
