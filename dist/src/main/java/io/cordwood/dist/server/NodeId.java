package io.cordwood.dist.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.cordwood.common.file.WholeFile;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;

/** The identity of a node, kept in its data folder so that it outlives a restart. */
final class NodeId {
  private static final String FILE = "node-id";
  private static final int MAX_BYTES = 1024;

  private NodeId() {}

  /** Reads it, or makes one; a file that holds no identity is replaced. */
  static String in(Path data) throws IOException {
    Path file = data.resolve(FILE);
    try {
      String text = Files.size(file) > MAX_BYTES ? "" : Files.readString(file, ISO_8859_1).strip();
      return Ulid.isValid(text) ? text : make(file);
    } catch (NoSuchFileException e) {
      return make(file);
    }
  }

  private static String make(Path file) throws IOException {
    String id = new UlidStamper(InstantSource.system()).stamp(1).toString();
    WholeFile.write(file, id + "\n");
    return id;
  }
}
