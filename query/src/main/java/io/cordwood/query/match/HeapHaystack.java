package io.cordwood.query.match;

/** Payloads in an array. */
record HeapHaystack(byte[] bytes) implements Haystack {
  @Override
  public byte[] array(int from, int to) {
    return bytes;
  }

  @Override
  public void copy(int from, int to, byte[] target, int at) {
    System.arraycopy(bytes, from, target, at, to - from);
  }

  @Override
  public int startOf(int from, int index, byte delimiter) {
    return Records.startOf(bytes, from, index, delimiter);
  }

  @Override
  public int endOf(int index, int to, byte delimiter) {
    return Records.endOf(bytes, index, to, delimiter);
  }

  @Override
  public int count(int from, int to, byte delimiter) {
    return Records.count(bytes, from, to, delimiter);
  }

  @Override
  public int find(Kernel kernel, int from, int to, Needle needle) {
    return kernel.find(bytes, from, to, needle);
  }
}
