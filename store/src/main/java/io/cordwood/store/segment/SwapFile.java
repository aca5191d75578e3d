package io.cordwood.store.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.file.WritableFile;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * A note that some files take the place of others, which makes that one step: once it is durable
 * the exchange will be finished, at the next start if need be; before, nothing has happened.
 *
 * <pre>
 *   cordwood swap 1
 *   rename FROM TO       a new segment gets its name, or a damaged one is set aside
 *   delete NAME          an old segment goes
 *   end CRC              CRC-32C of all before, in hex
 * </pre>
 *
 * <p>Steps that were done already are done again without harm. Owned by the lock of the {@link
 * StoreLog}.
 *
 * @param renames first name and last name of each
 */
record SwapFile(List<Rename> renames, List<String> deletes) {
  static final String ENDING = ".swap";

  private static final String HEAD = "cordwood swap 1\n";
  private static final int MAX_BYTES = 1 << 20;

  /** A file that is to have another name. */
  record Rename(String from, String to) {}

  static boolean isName(String fileName) {
    return fileName.endsWith(ENDING)
        && Ulid.isValid(fileName.substring(0, fileName.length() - ENDING.length()));
  }

  /** Writes the note. When this returns, it is durable. */
  void write(StoreFolder folder, Path path) throws IOException {
    try (WritableFile file = folder.filesystem().create(path)) {
      ByteBuffer text = ByteBuffer.wrap(encode());
      while (text.hasRemaining()) {
        file.write(text);
      }
      file.force();
    }
    folder.force();
  }

  private byte[] encode() {
    var text = new StringBuilder(HEAD);
    renames.forEach(r -> text.append("rename %s %s\n".formatted(r.from, r.to)));
    deletes.forEach(name -> text.append("delete %s\n".formatted(name)));
    text.append("end %08x\n".formatted(checksum(text.toString())));
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static int checksum(String text) {
    var crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    return (int) crc.getValue();
  }

  /** Reads a note; empty if it was not written to its end. */
  static Optional<SwapFile> read(Filesystem filesystem, Path path) throws IOException {
    try (ReadableFile file = filesystem.open(path)) {
      if (file.size() > MAX_BYTES) {
        return Optional.empty();
      }
      var bytes = ByteBuffer.allocate((int) file.size());
      file.read(bytes, 0);
      return parse(StandardCharsets.ISO_8859_1.decode(bytes.flip()).toString());
    }
  }

  private static Optional<SwapFile> parse(String text) {
    int end = text.lastIndexOf("end ");
    if (end < 0
        || !text.startsWith(HEAD)
        || !text.substring(end).equals("end %08x\n".formatted(checksum(text.substring(0, end))))) {
      return Optional.empty();
    }
    List<Rename> renames = new ArrayList<>();
    List<String> deletes = new ArrayList<>();
    for (String line : text.substring(HEAD.length(), end).lines().toList()) {
      String[] words = line.split(" ", -1);
      for (int i = 1; i < words.length; i++) {
        if (SegmentName.parse(words[i]).isEmpty()) {
          return Optional.empty();
        }
      }
      if (words.length == 3 && words[0].equals("rename")) {
        renames.add(new Rename(words[1], words[2]));
      } else if (words.length == 2 && words[0].equals("delete")) {
        deletes.add(words[1]);
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(new SwapFile(renames, deletes));
  }

  /**
   * Finishes the exchange, if everything that is to come is there under one of its names: a new
   * segment that is gone was given up or has gone its way since, and then nothing may be deleted
   * for it.
   *
   * @return whether the exchange is finished; false if it was void
   */
  boolean finish(StoreFolder folder) throws IOException {
    Filesystem filesystem = folder.filesystem();
    Set<String> present = names(folder);
    if (!renames.stream().allMatch(r -> present.contains(r.from) || present.contains(r.to))) {
      return false;
    }
    for (Rename rename : renames) {
      if (present.contains(rename.from)) {
        filesystem.rename(folder.resolve(rename.from), folder.resolve(rename.to));
      }
    }
    for (String name : deletes) {
      filesystem.delete(folder.resolve(name));
    }
    folder.force();
    return true;
  }

  private static Set<String> names(StoreFolder folder) throws IOException {
    var names = new HashSet<String>();
    for (Path path : folder.filesystem().list(folder.path())) {
      names.add(String.valueOf(path.getFileName()));
    }
    return names;
  }
}
