package io.cordwood.ingest.fluent;

import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Joins the parts of long lines that Docker's driver sends. What does not become whole, since it
 * takes too long, is too much, or parts are missing, becomes a record for each part, and is
 * counted. For one connection.
 */
final class DockerParts {
  /** The longest line that is joined: what one record can be. */
  private static final int MAX_LINE_BYTES = 1 << 20;

  /** As much is kept of all lines of a connection. */
  private static final int MAX_HELD_BYTES = 4 << 20;

  /** A part waits no longer for the next one. */
  private static final long MAX_MILLIS = Duration.ofSeconds(10).toMillis();

  private final Intake intake;
  private final ForwardEvents events;
  private final Map<String, Line> lines = new LinkedHashMap<>();
  private int heldBytes;

  DockerParts(Intake intake, ForwardEvents events) {
    this.intake = intake;
    this.events = events;
  }

  /** The parts of one line that have come. */
  private static final class Line {
    private final List<DockerRecord> parts = new ArrayList<>();
    private int textBytes;
    private int bytes;
    private long lastMillis;
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  /** Adds a part; the line is a record once it is whole. */
  void add(String id, DockerRecord part) throws RefusedException {
    Line line = lines.computeIfAbsent(id, _ -> new Line());
    if (part.ordinal() != line.parts.size() + 1
        || line.textBytes + part.log().length > MAX_LINE_BYTES) {
      giveUp(id);
      unjoined(part);
      return;
    }
    if (part.isLast()) {
      line.parts.add(part);
      forget(id);
      events.add(line.parts.getFirst(), joined(line));
      return;
    }
    DockerRecord kept = part.kept();
    line.parts.add(kept);
    line.textBytes += kept.log().length;
    line.bytes += kept.bytes();
    line.lastMillis = intake.clock().millis();
    hold(kept.bytes());
    while (heldBytes > MAX_HELD_BYTES || (heldBytes > 0 && intake.held().isTooMuch(heldBytes))) {
      giveUp(lines.keySet().iterator().next());
    }
  }

  private static byte[] joined(Line line) {
    var text = new ByteArrayOutputStream(line.textBytes);
    line.parts.forEach(part -> text.writeBytes(part.log()));
    return text.toByteArray();
  }

  /** Looks which lines take too long. */
  void look() throws RefusedException {
    long oldest = intake.clock().millis() - MAX_MILLIS;
    for (String id : List.copyOf(lines.keySet())) {
      Line line = lines.get(id);
      if (line != null && line.lastMillis < oldest) {
        giveUp(id);
      }
    }
  }

  /** Nothing more comes. */
  void end() throws RefusedException {
    for (String id : List.copyOf(lines.keySet())) {
      giveUp(id);
    }
  }

  /** Forgets all, since nothing can be stored. */
  void drop() {
    lines.clear();
    hold(-heldBytes);
  }

  private void giveUp(String id) throws RefusedException {
    Line line = forget(id);
    for (DockerRecord part : line.parts) {
      unjoined(part);
    }
  }

  private void unjoined(DockerRecord part) throws RefusedException {
    intake.metrics().unjoinedParts.increment();
    events.add(part, null);
  }

  private Line forget(String id) {
    Line line = lines.remove(id);
    if (line == null) {
      return new Line();
    }
    hold(-line.bytes);
    return line;
  }

  private void hold(int change) {
    heldBytes += change;
    intake.held().add(change);
  }
}
