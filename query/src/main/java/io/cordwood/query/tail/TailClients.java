package io.cordwood.query.tail;

import io.cordwood.common.http.PeerClient;
import io.cordwood.common.http.PeerCredentials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The clients by which streams follow other nodes. Each has one connection to a peer, and serves as
 * many streams as a peer takes on one. Made as they are needed. For all threads.
 */
final class TailClients implements AutoCloseable {
  /** A peer takes a hundred on a connection. */
  private static final int STREAMS_EACH = 64;

  /** A peer takes 200 resets in half a minute for an attack; a stream that ends resets one. */
  private static final int MAX_BROKEN_OFF = 80;

  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private final PeerCredentials credentials;
  private final List<Client> clients = new ArrayList<>();

  TailClients(PeerCredentials credentials) {
    this.credentials = credentials;
  }

  /** A client, for one stream until it is closed. */
  final class Lease {
    private final Client client;

    private Lease(Client client) {
      this.client = client;
    }

    PeerClient client() {
      return client.http;
    }

    /**
     * To be called once.
     *
     * @param readToTheEnd whether no answer was broken off
     */
    void close(boolean readToTheEnd) {
      release(client, readToTheEnd);
    }
  }

  private static final class Client {
    private final PeerClient http;
    private int streams;
    private int brokenOff;

    Client(PeerCredentials credentials) {
      http = new PeerClient(CONNECT, SILENCE, credentials);
    }
  }

  synchronized Lease lease() {
    for (Client client : clients) {
      if (client.streams < STREAMS_EACH) {
        client.streams++;
        return new Lease(client);
      }
    }
    var client = new Client(credentials);
    client.streams++;
    clients.add(client);
    return new Lease(client);
  }

  private synchronized void release(Client client, boolean readToTheEnd) {
    client.streams--;
    client.brokenOff += readToTheEnd ? 0 : 1;
    if (client.brokenOff >= MAX_BROKEN_OFF) {
      clients.remove(client);
      if (client.streams == 0) {
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
