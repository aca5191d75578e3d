package io.cordwood.it;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Passes bytes on to a port of this machine, but of an answer to one path only the first: then it
 * reads no more until that connection ends.
 */
final class HoldingProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 16 << 10;

  private final int target;
  private final String path;
  private final int passedBytes;
  private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Set<Connection> held = ConcurrentHashMap.newKeySet();

  /**
   * @param path of requests, and what comes after it
   * @param passedBytes of each answer to it, and a little more
   */
  HoldingProxy(int target, String path, int passedBytes) throws IOException {
    this.target = target;
    this.path = path;
    this.passedBytes = passedBytes;
    Thread.ofPlatform().daemon().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** How many answers it holds back now. */
  int held() {
    return held.size();
  }

  /** Ends the connections of these answers. */
  void breakOff() throws IOException {
    for (Connection each : held) {
      each.close();
    }
  }

  private void accept() {
    try {
      while (true) {
        var connection =
            new Connection(
                listening.accept(), new Socket(InetAddress.getLoopbackAddress(), target));
        Thread.ofPlatform().daemon().start(connection::passRequests);
        Thread.ofPlatform().daemon().start(connection::passAnswers);
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    breakOff();
  }

  private final class Connection {
    private final Socket client;
    private final Socket node;
    private volatile boolean holds;
    private volatile long answered;

    Connection(Socket client, Socket node) {
      this.client = client;
      this.node = node;
    }

    void passRequests() {
      byte[] bytes = new byte[BUFFER_BYTES];
      try {
        InputStream in = client.getInputStream();
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
          String text = new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
          holds = text.startsWith("GET " + path);
          answered = 0;
          node.getOutputStream().write(bytes, 0, count);
        }
      } catch (IOException e) {
        // It has ended.
      }
      closeQuietly();
    }

    void passAnswers() {
      byte[] bytes = new byte[BUFFER_BYTES];
      try {
        InputStream in = node.getInputStream();
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
          client.getOutputStream().write(bytes, 0, count);
          answered += count;
          if (holds && answered >= passedBytes) {
            held.add(this);
            return;
          }
        }
      } catch (IOException e) {
        // It has ended.
      }
      closeQuietly();
    }

    void close() throws IOException {
      held.remove(this);
      node.close();
      client.close();
    }

    private void closeQuietly() {
      try {
        close();
      } catch (IOException e) {
        // It is closed.
      }
    }
  }
}
