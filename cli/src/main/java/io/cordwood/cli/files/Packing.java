package io.cordwood.cli.files;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The packings of lines: by the endings of names, and by the first bytes, in which {@code ?} stands
 * for any one.
 */
enum Packing {
  GZIP("gzip", "gzip -dc FILE", "gz tgz", "\u001F\u008B"),
  /** A frame, or one that is skipped, which some programs write first. */
  ZSTD("zstd", "zstd -dc FILE", "zst zstd tzst", "(\u00B5/\u00FD ?*M\u0018"),
  OLD_ZSTD("zstd of before 0.8", "zstd -dc FILE", "zst", "?\u00B5/\u00FD"),
  XZ("xz", "xz -dc FILE", "xz txz", "\u00FD7zXZ\0"),
  LZMA("lzma", "xz -dc FILE", "lzma tlz", "]\0\0"),
  BZIP2("bzip2", "bzip2 -dc FILE", "bz2 tbz tbz2", "BZh?1A BZh?\u0017r"),
  LZ4("lz4", "lz4 -dc FILE", "lz4", "\u0004\"M\u0018 \u0002!L\u0018 \u0003!L\u0018"),
  LZIP("lzip", "lzip -dc FILE", "lz", "LZIP\0 LZIP\u0001"),
  LZOP("lzop", "lzop -dc FILE", "lzo", "\u0089LZO\0"),
  LRZIP("lrzip", "lrzcat FILE", "lrz", "LRZI\0"),
  COMPRESS("compress", "gzip -dc FILE", "z taz", "\u001F\u009D \u001F\u00A0 \u001F\u001E"),
  ZLIB("zlib", "pigz -dcz < FILE", "zz zlib", "x\u0001 x\u009C x\u00DA"),
  SNAPPY("snappy", "snzip -dc FILE", "sz snappy", "\u00FF\u0006\0\0sN \u0082SNAPP"),
  /** It has no first bytes of its own. */
  BROTLI("brotli", "brotli -dc FILE", "br", ""),
  ZIP("zip", "unzip -p FILE", "zip", "PK\u0003\u0004 PK\u0005\u0006 PK\u0007\b"),
  SEVEN_ZIP("7z", "7z x -so FILE", "7z", "7z\u00BC\u00AF'\u001C"),
  RAR("rar", "unrar p -inul FILE", "rar", "Rar!\u001A\u0007"),
  TAR("tar", "tar -xOf FILE", "tar", "?".repeat(257) + "ustar"),
  PARQUET("parquet", "parquet cat FILE", "parquet", "PAR1\u0015"),
  JOURNAL("a journal of systemd", "journalctl --file FILE", "journal", "LPKSHH");

  /** As many of the first bytes as are looked at, if they are there. */
  static final int HEAD_BYTES = 262;

  private static final String SEARCH = " | cordwood grep PATTERN -' searches them";

  private final String text;
  private final String command;
  private final String endings;
  private final String beginnings;

  Packing(String text, String command, String endings, String beginnings) {
    this.text = text;
    this.command = command;
    this.endings = endings;
    this.beginnings = beginnings;
  }

  /** By the first bytes; null: none of these. */
  static @Nullable Packing of(byte[] head) {
    for (Packing packing : values()) {
      for (String beginning : packing.beginnings.split(" ", -1)) {
        if (packing.hasBeginning() && begins(head, beginning)) {
          return packing;
        }
      }
    }
    return null;
  }

  private static boolean begins(byte[] head, String beginning) {
    boolean begins = head.length >= beginning.length();
    for (int i = 0; begins && i < beginning.length(); i++) {
      begins = beginning.charAt(i) == '?' || beginning.charAt(i) == (head[i] & 0xFF);
    }
    return begins;
  }

  /** By the name; null: it ends as no packed file's does. */
  static @Nullable Packing named(String name) {
    String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    for (Packing packing : values()) {
      boolean isOne = List.of(packing.endings.split(" ", -1)).contains(ending);
      if (isOne && ending.length() < name.length()) {
        return packing;
      }
    }
    return null;
  }

  boolean isRead() {
    return this == GZIP || this == ZSTD;
  }

  /** Whether the first bytes say that it is none, whatever its name is. */
  boolean hasBeginning() {
    return !beginnings.isEmpty();
  }

  /** Such as {@code 'xz -dc FILE | cordwood grep PATTERN -' searches them}. */
  String search() {
    return search(command);
  }

  static String search(String command) {
    return "'" + command + SEARCH;
  }

  @Override
  public String toString() {
    return text;
  }
}
