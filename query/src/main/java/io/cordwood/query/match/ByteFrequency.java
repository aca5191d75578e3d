package io.cordwood.query.match;

import java.util.Arrays;

/**
 * How often each byte value is in a log, roughly: English words, paths, numbers, addresses and time
 * stamps. Only the order of magnitude matters, and only to speed.
 */
final class ByteFrequency {
  private static final double UNSEEN = 0.0001;

  private static final double[] OF = table();

  private ByteFrequency() {}

  private static double[] table() {
    double[] of = new double[256];
    Arrays.fill(of, UNSEEN);
    set(of, 0.1, " ");
    set(of, 0.05, "e0");
    set(of, 0.04, "12");
    set(of, 0.03, "aionrst3");
    set(of, 0.025, "456789.-:d");
    set(of, 0.015, "clmpu/");
    set(of, 0.008, "bfgh=,");
    set(of, 0.006, "vwykCISTRNEDA\n_[]\"");
    set(of, 0.003, "xFLMOPBU()");
    set(of, 0.001, "jqzGHJKVWXYQZ'<>{}*+;#@$%&|\t?!");
    return of;
  }

  private static void set(double[] of, double share, String characters) {
    characters.chars().forEach(c -> of[c] = share);
  }

  /** The share of this value among all bytes, above 0 and below 1. */
  static double of(byte value) {
    return OF[value & 0xFF];
  }
}
