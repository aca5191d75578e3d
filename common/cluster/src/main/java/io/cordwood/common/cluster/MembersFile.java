package io.cordwood.common.cluster;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.file.WholeFile;
import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The members that a node knows, in a file: after a restart it looks for them, and its answers say
 * who is missing.
 *
 * <pre>
 *   # crc32c 0123abcd
 *   # past fresh | whole | lost, introduced yes | no
 *   # node  gossip address  since  state          description
 *   # met host:port host:port                     if some --peer was
 *   01AAA…  10.0.0.1:7659   TIME   self           NodeInfo in base64
 *   01ABC…  10.0.0.2:7659   TIME   member         …
 *   01DEF…  10.0.0.3:7659   TIME   left | silent  …
 * </pre>
 *
 * The fields of a line are separated by tabs. After {@code left} or {@code silent} there may be a
 * blank and the time from which on it had the roles of its description. The checksum is that of all
 * bytes after its line. Earlier versions wrote neither of the first two lines, and read past them.
 * A file that is not as it was written proves nothing; it is set aside, and who is named in it is
 * only called. Lines of nodes that describe themselves in a later version are kept as they are. For
 * one thread.
 */
final class MembersFile {
  private static final Logger LOG = LoggerFactory.getLogger(MembersFile.class);
  private static final String COLUMNS = "# node\tgossip address\tsince\tstate\tdescription";
  private static final String CHECKSUM = "# crc32c ";
  private static final String PAST = "# past ";
  private static final String INTRODUCED = ", introduced ";
  private static final String MET = "# met ";
  private static final String SELF = "self";
  private static final String MEMBER = "member";
  private static final String LEFT = "left";
  private static final String SILENT = "silent";
  private static final int FIELDS = 5;

  /** Twice the nodes that are remembered, with the longest descriptions that there are. */
  private static final long MAX_BYTES = 16 << 20;

  private static final String BEGINNING = withChecksum(head(MemberHistory.FRESH, false));

  private final Path file;
  private final Filesystem disk;

  /** The lines that are on the disk; none if that is not known. */
  private List<String> written = List.of();

  /** By gossip address, the lines of the members that were written last. */
  private Map<String, Line> lines = Map.of();

  /** This node's own. */
  private @Nullable Line ownLine;

  /**
   * A node's line, which is the same for each load that it has.
   *
   * @param lasting what it said of itself, but for that
   */
  private record Line(ClusterView.Listed member, NodeInfo lasting, String text) {
    static Line of(ClusterView.Listed member, NodeInfo node, String state, @Nullable Line before) {
      if (before != null && before.member.equals(member)) {
        return before;
      }
      NodeInfo lasting = MembersFile.lasting(node);
      if (before != null
          && before.member.gossipAddress().equals(member.gossipAddress())
          && before.member.since().equals(member.since())
          && before.lasting.equals(lasting)) {
        return new Line(member, lasting, before.text);
      }
      String text = line(lasting, member.gossipAddress(), member.since(), state);
      return new Line(member, lasting, text);
    }
  }

  MembersFile(Path file) {
    this(file, Filesystem.real());
  }

  MembersFile(Path file, Filesystem disk) {
    this.file = file;
    this.disk = disk;
  }

  /** Makes the file of a node that has no past. */
  static void begin(Path file, Filesystem disk) throws IOException {
    WholeFile.writeForced(disk, file, BEGINNING);
  }

  /** Whether no node has written to it since it was {@linkplain #begin begun}. */
  static boolean isBegun(Path file) throws IOException {
    try {
      return Files.size(file) == BEGINNING.length()
          && Files.readString(file, StandardCharsets.ISO_8859_1).equals(BEGINNING);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * The file of a backup, as a node that is restored is to find it: who came after those that are
   * named in it, it does not say. One that names nobody, or is damaged, is as it was.
   */
  static String restored(String text) {
    String body = text.startsWith(CHECKSUM) ? text.substring(text.indexOf('\n') + 1) : text;
    boolean isWhole = text.equals(withChecksum(body)) || text.startsWith(COLUMNS);
    boolean namesOthers =
        body.lines().anyMatch(line -> !line.startsWith("#") && !line.contains('\t' + SELF + '\t'));
    if (!isWhole || !namesOthers) {
      return text;
    }
    String lost =
        body.startsWith(COLUMNS)
            ? pastLine(MemberHistory.LOST, true) + '\n' + body
            : body.replaceFirst("^" + PAST + "\\w+", PAST + MemberHistory.LOST.word());
    return withChecksum(lost);
  }

  /**
   * Reads what was known at the last write; a member of that time is gone since now, as far as a
   * node can say that has just started.
   *
   * @throws AccessDeniedException if it is closed to this process: it may be whole
   */
  SavedMembers read(Instant now) throws AccessDeniedException {
    try {
      return read(text(), new Reading(now));
    } catch (AccessDeniedException e) {
      throw e;
    } catch (NoSuchFileException e) {
      return lost("it is missing", Set.of());
    } catch (IOException e) {
      return lost(e.toString(), Set.of());
    }
  }

  private String text() throws IOException {
    try (ReadableFile open = disk.open(file)) {
      if (open.size() > MAX_BYTES) {
        throw new IOException("expected at most %d bytes".formatted(MAX_BYTES));
      }
      var bytes = ByteBuffer.allocate((int) open.size());
      open.read(bytes, 0);
      return StandardCharsets.ISO_8859_1.decode(bytes.flip()).toString();
    }
  }

  private SavedMembers read(String text, Reading reading) {
    List<String> lines = text.lines().toList();
    lines.stream().filter(line -> !line.startsWith("#")).forEach(reading::add);
    lines.stream().filter(line -> line.startsWith(MET)).forEach(reading::addMet);
    if (text.startsWith(COLUMNS)) {
      return !text.endsWith("\n") || reading.self.isEmpty() || !reading.wrong.isEmpty()
          ? lost("it is damaged" + reading.wrong, reading.addresses())
          : reading.found(MemberHistory.WHOLE, true);
    }
    int begin = text.indexOf('\n') + 1;
    if (begin == 0 || !text.equals(withChecksum(text.substring(begin))) || lines.size() < 3) {
      return lost("it is damaged: its checksum is wrong", reading.addresses());
    }
    String head = lines.get(1);
    for (MemberHistory past : MemberHistory.values()) {
      for (boolean introduced : new boolean[] {true, false}) {
        if (head.equals(pastLine(past, introduced))) {
          return reading.wrong.isEmpty()
              ? reading.found(past, introduced)
              : lost("it is damaged" + reading.wrong, reading.addresses());
        }
      }
    }
    return lost("it is of another version: " + head, reading.addresses());
  }

  private SavedMembers lost(String what, Set<String> addresses) {
    String why = "%s: %s".formatted(file, what);
    LOG.warn(
        "what this node knew of its cluster is lost, {}: its answers are possibly incomplete until"
            + " it meets a node that remembers",
        why);
    setAside();
    return new SavedMembers(
        MemberHistory.LOST, why, "", List.of(), Map.of(), Set.of(), addresses, Set.of());
  }

  private void setAside() {
    Path aside = file.resolveSibling(file.getFileName() + ".damaged");
    try {
      Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
      LOG.warn("{} is kept as {}", file, aside);
    } catch (NoSuchFileException _) {
      // There is nothing to keep.
    } catch (IOException e) {
      LOG.warn("{} cannot be kept as {}: {}", file, aside, e.toString());
    }
  }

  /** The lines of a file, one after the other. */
  private static final class Reading {
    private final Instant now;
    private final List<DepartedNode> departed = new ArrayList<>();
    private final Map<String, String> unreadable = new LinkedHashMap<>();
    private final Set<String> ownAddresses = new HashSet<>();
    private final Set<String> metPeers = new HashSet<>();
    private String self = "";
    private String wrong = "";

    Reading(Instant now) {
      this.now = now;
    }

    void addMet(String line) {
      metPeers.addAll(List.of(line.substring(MET.length()).split(" ", -1)));
    }

    void add(String line) {
      String[] fields = line.split("\t", -1);
      try {
        if (fields.length != FIELDS) {
          throw new IllegalArgumentException(
              "expected " + FIELDS + " fields, found " + fields.length);
        }
        HostPort.parse(fields[1], 0);
        NodeInfo node = NodeInfoCodec.decode(Base64.getDecoder().decode(fields[4]));
        add(fields, node);
      } catch (GossipFormatException e) {
        if (e.reason() == GossipFormatException.Reason.VERSION) {
          unreadable.put(fields[0], line);
        } else {
          wrong = ": " + e.getMessage();
        }
      } catch (RuntimeException e) {
        wrong = ": " + e.getMessage();
      }
    }

    private void add(String[] fields, NodeInfo node) {
      if (!fields[0].equals(node.nodeId())) {
        throw new IllegalArgumentException(
            "expected node %s, found %s".formatted(fields[0], node.nodeId()));
      }
      Instant since = Instant.parse(fields[2]);
      String[] state = fields[3].split(" ", 2);
      switch (state[0]) {
        case SELF -> {
          self = node.nodeId();
          ownAddresses.add(fields[1]);
        }
        case MEMBER ->
            departed.add(
                new DepartedNode(node, fields[1], now, false, since.isAfter(now) ? now : since));
        case LEFT, SILENT -> {
          Instant learned = state.length == 1 ? since : Instant.parse(state[1]);
          boolean left = state[0].equals(LEFT);
          departed.add(new DepartedNode(node, fields[1], since, left, learned));
        }
        default -> throw new IllegalArgumentException("unknown state " + fields[3]);
      }
    }

    SavedMembers found(MemberHistory past, boolean introduced) {
      return new SavedMembers(
          past,
          past == MemberHistory.LOST
              ? "it was lost before the last restart, or restored from a backup"
              : "",
          introduced ? self : "",
          departed,
          unreadable,
          ownAddresses,
          addresses(),
          metPeers);
    }

    Set<String> addresses() {
      Set<String> addresses = new HashSet<>();
      departed.forEach(node -> addresses.add(node.gossipAddress()));
      unreadable.values().forEach(line -> addresses.add(line.split("\t", -1)[1]));
      return addresses;
    }
  }

  /**
   * Writes who is known now, if that is not what was written last.
   *
   * @return whether it is on the disk, forced; if not, it is tried again with the next call
   * @param self this node, as it is listed by others
   * @param metPeers the peers given by flags that were members at some time
   */
  boolean write(
      Memory.Written memory,
      ClusterView.Listed self,
      List<ClusterView.Listed> members,
      List<DepartedNode> departed,
      List<String> metPeers) {
    List<String> now = new ArrayList<>(List.of(head(memory.past(), memory.introduced())));
    if (!metPeers.isEmpty()) {
      now.add(MET + String.join(" ", metPeers) + '\n');
    }
    NodeInfo own = self.node();
    if (own != null) {
      Line line = Line.of(self, own, SELF, ownLine);
      ownLine = line;
      now.add(line.text);
    }
    Map<String, Line> known = HashMap.newHashMap(members.size());
    for (ClusterView.Listed member : members) {
      NodeInfo node = member.node();
      if (member.state() == ClusterView.State.ALIVE && node != null) {
        Line line = Line.of(member, node, MEMBER, lines.get(member.gossipAddress()));
        known.put(member.gossipAddress(), line);
        now.add(line.text);
      }
    }
    lines = known;
    for (DepartedNode gone : departed) {
      String state = gone.left() ? LEFT : SILENT;
      String learned = gone.asOf().equals(gone.since()) ? "" : " " + gone.asOf();
      now.add(line(gone.node(), gone.gossipAddress(), gone.since(), state + learned));
    }
    memory.unreadable().forEach(line -> now.add(line + '\n'));
    if (now.equals(written)) {
      return true;
    }
    try {
      WholeFile.writeForced(disk, file, withChecksum(String.join("", now)));
      written = now;
      return true;
    } catch (IOException e) {
      LOG.warn("{} cannot be written, and is tried again: {}", file, e.toString());
      return false;
    }
  }

  private static String head(MemberHistory past, boolean introduced) {
    return pastLine(past, introduced) + '\n' + COLUMNS + '\n';
  }

  private static String pastLine(MemberHistory past, boolean introduced) {
    return PAST + past.word() + INTRODUCED + (introduced ? "yes" : "no");
  }

  private static String withChecksum(String text) {
    var checksum = new CRC32C();
    checksum.update(text.getBytes(StandardCharsets.ISO_8859_1));
    return CHECKSUM + "%08x".formatted(checksum.getValue()) + '\n' + text;
  }

  /** A load is old when it is read again, and would have the file written for each new one. */
  private static NodeInfo lasting(NodeInfo node) {
    return node.withLoad(node.load().lasting());
  }

  private static String line(NodeInfo node, String address, Instant since, String state) {
    byte[] description = NodeInfoCodec.encode(lasting(node));
    String described = Base64.getEncoder().encodeToString(description);
    return String.join("\t", node.nodeId(), address, since.toString(), state, described) + '\n';
  }
}
