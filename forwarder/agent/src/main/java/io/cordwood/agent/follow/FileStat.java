package io.cordwood.agent.follow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file's attributes; links are followed. */
record FileStat(Key key, long size, long modifiedMillis, boolean isRegular) {
  private static final Pattern KEY = Pattern.compile("\\(dev=([0-9a-f]+),ino=(\\d+)\\)");

  /** Which file it is, whatever its name. A number is given to another one when it is deleted. */
  record Key(long device, long inode) {}

  static FileStat of(Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    return new FileStat(
        key(path, attributes),
        attributes.size(),
        attributes.lastModifiedTime().toMillis(),
        attributes.isRegularFile());
  }

  private static Key key(Path path, BasicFileAttributes attributes) throws IOException {
    Matcher key = KEY.matcher(String.valueOf(attributes.fileKey()));
    if (!key.matches()) {
      throw new IOException(
          path
              + ": expected a file system with device and inode numbers, found "
              + attributes.fileKey());
    }
    return new Key(Long.parseUnsignedLong(key.group(1), 16), Long.parseLong(key.group(2)));
  }
}
