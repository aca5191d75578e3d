package io.cordwood.common.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Damages files as a disk may. */
public final class BitFlips {
  private BitFlips() {}

  /**
   * Turns the lowest bit of a byte around.
   *
   * @param at its place; negative ones count from the end, of which the last byte is -1
   */
  public static void flip(Path file, long at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[Math.toIntExact(at < 0 ? bytes.length + at : at)] ^= 1;
    Files.write(file, bytes);
  }
}
