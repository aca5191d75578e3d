package io.cordwood.forwarder;

/** The byte that ends each record of a batch. A record cannot hold its batch's delimiter. */
enum Delimiter {
  LF(0, (byte) '\n'),
  NUL(1, (byte) 0);

  final int flag;
  final byte value;

  Delimiter(int flag, byte value) {
    this.flag = flag;
    this.value = value;
  }
}
