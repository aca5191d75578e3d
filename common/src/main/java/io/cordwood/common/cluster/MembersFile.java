package io.cordwood.common.cluster;

import io.cordwood.common.file.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The members that a node knows, in a file: after a restart it looks for them, and its answers say
 * who is missing.
 *
 * <pre>
 *   # node  gossip address  since  state          description
 *   01AAA…  10.0.0.1:7659   TIME   self           NodeInfo in base64
 *   01ABC…  10.0.0.2:7659   TIME   member         …
 *   01DEF…  10.0.0.3:7659   TIME   left | silent  …
 * </pre>
 *
 * The fields of a line are separated by tabs. Lines that do not read are left out, with a word in
 * the log. For one thread.
 */
final class MembersFile {
  private static final Logger LOG = LoggerFactory.getLogger(MembersFile.class);
  private static final String HEAD = "# node\tgossip address\tsince\tstate\tdescription\n";
  private static final String SELF = "self";
  private static final String MEMBER = "member";
  private static final String LEFT = "left";
  private static final String SILENT = "silent";
  private static final long MAX_BYTES = 4 << 20;

  private final Path file;
  private final Set<String> ownAddresses = new HashSet<>();
  private String written = "";

  MembersFile(Path file) {
    this.file = file;
  }

  /**
   * The nodes known at the last write; a member of that time is gone since now, as far as a node
   * can say that has just started. At most once.
   */
  List<DepartedNode> read(Instant now) {
    List<DepartedNode> found = new ArrayList<>();
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new IOException("expected at most %d bytes".formatted(MAX_BYTES));
      }
      for (String line : Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList()) {
        if (!line.startsWith("#")) {
          add(line, now, found);
        }
      }
    } catch (NoSuchFileException e) {
      LOG.debug("no {} yet", file);
    } catch (IOException e) {
      LOG.warn("{} cannot be read, so this node knows its --peers only: {}", file, e.toString());
    }
    return found;
  }

  private void add(String line, Instant now, List<DepartedNode> found) {
    String[] fields = line.split("\t", -1);
    try {
      if (fields.length != 5) {
        throw new IllegalArgumentException("expected 5 fields, found " + fields.length);
      }
      NodeInfo node = NodeInfoCodec.decode(Base64.getDecoder().decode(fields[4]));
      if (fields[3].equals(SELF)) {
        ownAddresses.add(fields[1]);
        return;
      }
      boolean member = fields[3].equals(MEMBER);
      Instant since = member ? now : Instant.parse(fields[2]);
      found.add(new DepartedNode(node, fields[1], since, fields[3].equals(LEFT)));
    } catch (GossipFormatException | RuntimeException e) {
      LOG.warn("{}: a line that names no member is passed over: {}", file, e.toString());
    }
  }

  /** Addresses of this node before its last start, for peers that have not noticed yet. */
  Set<String> ownAddresses() {
    return ownAddresses;
  }

  /**
   * Writes who is known now, if that is not what was written last.
   *
   * @param self this node, as it is listed by others
   */
  void write(
      ClusterView.Listed self, List<ClusterView.Listed> members, List<DepartedNode> departed) {
    var text = new StringBuilder(HEAD);
    append(text, self, SELF);
    for (ClusterView.Listed member : members) {
      if (member.state() == ClusterView.State.ALIVE) {
        append(text, member, MEMBER);
      }
    }
    for (DepartedNode gone : departed) {
      append(text, gone.node(), gone.gossipAddress(), gone.since(), gone.left() ? LEFT : SILENT);
    }
    String now = text.toString();
    if (now.equals(written)) {
      return;
    }
    try {
      WholeFile.write(file, now);
      written = now;
    } catch (IOException e) {
      LOG.warn("{} cannot be written, and is tried again: {}", file, e.toString());
    }
  }

  private static void append(StringBuilder text, ClusterView.Listed member, String state) {
    NodeInfo node = member.node();
    if (node != null) {
      append(text, node, member.gossipAddress(), member.since(), state);
    }
  }

  private static void append(
      StringBuilder text, NodeInfo node, String address, Instant since, String state) {
    // A load is old when it is read again, and would have the file written for each new one.
    byte[] description = NodeInfoCodec.encode(node.withLoad(node.load().lasting()));
    text.append(node.nodeId()).append('\t').append(address).append('\t').append(since);
    text.append('\t').append(state).append('\t');
    text.append(Base64.getEncoder().encodeToString(description)).append('\n');
  }
}
