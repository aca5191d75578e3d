package io.cordwood.dist.files;

import java.io.IOException;

/** Where what is found in one file goes. Numbers of records count from 1. One thread. */
interface FileOutput {
  /** A record that is wanted, given without its delimiter. */
  void match(long number, byte[] bytes, int from, int to) throws IOException;

  /** A record that is given for another's sake. */
  void context(long number, byte[] bytes, int from, int to) throws IOException;

  /** What comes next does not follow what came last. */
  void separator() throws IOException;
}
