package io.cordwood.cli.files;

import java.io.IOException;

/** The output for the records found in one file. Numbers of records count from 1. One thread. */
interface FileOutput {
  /** A record that is wanted, given without its delimiter. */
  void match(long number, byte[] bytes, int from, int to) throws IOException;

  /** A record that is given for another's sake. */
  void context(long number, byte[] bytes, int from, int to) throws IOException;

  /** Marks a gap between the last record and the next. */
  void separator() throws IOException;
}
