package io.cordwood.dist.server;

import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.SpecialFileException;
import io.cordwood.common.file.WholeFile;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The identity of a node, kept in its data folder so that it outlives a restart. */
final class NodeId {
  private static final Logger log = LoggerFactory.getLogger(NodeId.class);
  private static final String FILE = "node-id";
  private static final int MAX_BYTES = 1024;

  private NodeId() {}

  /**
   * Reads it, or makes one, which is forced; a file that holds no identity is replaced. To be
   * called before anything else is made in the folder: only what is in it says whether the node is
   * new.
   */
  static String in(Path data, Filesystem disk) throws IOException {
    Path file = data.resolve(FILE);
    try {
      String text = text(file, disk);
      if (!Ulid.isValid(text)) {
        return makeAnother(file, disk, "it holds no identity");
      }
      disk.forceFolder(data); // Who made it may have been killed before its name was forced.
      return text;
    } catch (NoSuchFileException e) {
      if (hasPast(data)) {
        return makeAnother(file, disk, "it is missing");
      }
      // That the node has no past is on the disk before its id is.
      Cluster.beginMembers(members(data), disk);
      return make(file, disk);
    }
  }

  /** Empty if it is too long for an id, or is a pipe or device, which might not end. */
  private static String text(Path file, Filesystem disk) throws IOException {
    try {
      boolean isTooLong = disk.size(file).orElse(0) > MAX_BYTES;
      return isTooLong ? "" : WholeFile.read(disk, file).strip();
    } catch (SpecialFileException e) {
      return "";
    }
  }

  /** The file that the cluster's members are remembered in. */
  static Path members(Path data) {
    return data.resolve("members");
  }

  /** Segments of a backup, restored for a node of its own, are none. */
  static boolean hasPast(Path data) throws IOException {
    if (Cluster.isBegun(members(data))) {
      return false;
    }
    return Stream.of("ingest", "store", "members").map(data::resolve).anyMatch(Files::exists);
  }

  private static String makeAnother(Path file, Filesystem disk, String why) throws IOException {
    String id = make(file, disk);
    log.warn(
        "{}: {}, so this node comes back as another one, {}. Nothing in its folder is lost, but to"
            + " others the node that it was is missing: POST /cluster/forget?id=ID says that it is"
            + " not, once this one is up; /cluster lists its id",
        file,
        why,
        id);
    return id;
  }

  private static String make(Path file, Filesystem disk) throws IOException {
    String id = new UlidStamper(InstantSource.system()).stamp(1).toString();
    WholeFile.writeForced(disk, file, id + "\n");
    return id;
  }
}
