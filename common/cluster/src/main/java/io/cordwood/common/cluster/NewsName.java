package io.cordwood.common.cluster;

import io.scalecube.cluster.transport.api.Message;
import java.io.Externalizable;
import java.io.IOException;

/**
 * A gossip that is named for its news, read back into the library's object.
 *
 * <p>The library spreads what it learns from a table as a gossip of its own, though others spread
 * the same: when N nodes start at a time each tells all others of each, N³ times the logarithm of N
 * messages. It knows gossips by who began them and a number. Here that is the member that the news
 * is about, of which the library forgets the numbers when that is gone, and a number for status and
 * incarnation; so that each piece of news is spread once, whoever began to.
 */
final class NewsName extends RefusingObjectInput {
  /** Beyond it are no incarnations, and no gossips that a node numbers itself. */
  private static final int NUMBER_BITS = 40;

  private final String memberId;
  private final Message news;
  private final long number;

  /**
   * @param status its number on the wire
   */
  NewsName(String memberId, int status, int incarnation, Message news) {
    this.memberId = memberId;
    this.news = news;
    number = ((1L + status) << NUMBER_BITS) + incarnation;
  }

  void give(Externalizable gossip) throws IOException {
    try {
      gossip.readExternal(this);
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  @Override
  public String readUTF() {
    return memberId;
  }

  @Override
  public Object readObject() {
    return news;
  }

  @Override
  public long readLong() {
    return number;
  }

  @Override
  public int readInt() throws IOException {
    throw refused();
  }

  @Override
  public void readFully(byte[] into) throws IOException {
    throw refused();
  }

  @Override
  public int readUnsignedByte() throws IOException {
    throw refused();
  }
}
