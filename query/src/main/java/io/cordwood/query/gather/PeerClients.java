package io.cordwood.query.gather;

import io.cordwood.common.http.PeerClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The clients of node-to-node queries. Each has one connection to a peer, whose window of 64 MiB is
 * shared by its streams of 4 MiB; so a client serves few enough queries that answers which nobody
 * reads for long, behind a slow reader, never stop the others. Made as they are needed. For all
 * threads.
 */
public final class PeerClients implements AutoCloseable {
  /** Times two tiers and 4 MiB, this is within a connection's window. */
  private static final int QUERIES_EACH = 7;

  /** Streams' answers are always read at once; a peer takes a hundred on a connection. */
  private static final int STREAMS_EACH = 64;

  /** A peer takes 200 resets in half a minute for an attack; a query resets two at most. */
  private static final int MAX_BROKEN_OFF = 80;

  private static final Duration CONNECT = Duration.ofSeconds(2);

  /** Of a node that is followed. */
  private static final Duration STREAMS_SILENCE = Duration.ofSeconds(10);

  private final int each;
  private final Duration silence;
  private final List<Client> clients = new ArrayList<>();

  private PeerClients(int each, Duration silence) {
    this.each = each;
    this.silence = silence;
  }

  /**
   * @param silence of a peer, after which its answer breaks off
   */
  static PeerClients forQueries(Duration silence) {
    return new PeerClients(QUERIES_EACH, silence);
  }

  public static PeerClients forStreams() {
    return new PeerClients(STREAMS_EACH, STREAMS_SILENCE);
  }

  /** A client, for one query until it is closed. */
  public final class Lease {
    private final Client client;

    private Lease(Client client) {
      this.client = client;
    }

    public PeerClient client() {
      return client.http;
    }

    /**
     * To be called once.
     *
     * @param readToTheEnd whether no answer was broken off
     */
    public void close(boolean readToTheEnd) {
      release(client, readToTheEnd);
    }
  }

  private static final class Client {
    private final PeerClient http;
    private int queries;
    private int brokenOff;

    Client(Duration silence) {
      this.http = new PeerClient(CONNECT, silence);
    }
  }

  public synchronized Lease lease() {
    for (Client client : clients) {
      if (client.queries < each) {
        client.queries++;
        return new Lease(client);
      }
    }
    var client = new Client(silence);
    client.queries++;
    clients.add(client);
    return new Lease(client);
  }

  private synchronized void release(Client client, boolean readToTheEnd) {
    client.queries--;
    client.brokenOff += readToTheEnd ? 0 : 1;
    if (client.brokenOff >= MAX_BROKEN_OFF) {
      clients.remove(client);
      if (client.queries == 0) {
        client.http.close();
      }
    }
  }

  /** Breaks off the calls that run. */
  @Override
  public synchronized void close() {
    clients.forEach(client -> client.http.close());
    clients.clear();
  }
}
