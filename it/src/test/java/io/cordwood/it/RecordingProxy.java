package io.cordwood.it;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes bytes on to a port of this machine, and keeps the first ones of each connection. */
final class RecordingProxy implements AutoCloseable {
  private static final int KEPT_BYTES = 4 << 10;

  private final int target;
  private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<ByteArrayOutputStream> beginnings = new CopyOnWriteArrayList<>();

  RecordingProxy(int target) throws IOException {
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** What clients have said first; of a connection without a byte, nothing. */
  List<byte[]> beginnings() {
    return beginnings.stream()
        .map(ByteArrayOutputStream::toByteArray)
        .filter(bytes -> bytes.length > 0)
        .toList();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        var beginning = new ByteArrayOutputStream();
        beginnings.add(beginning);
        Thread.ofVirtual().start(() -> pass(client, beginning));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void pass(Socket client, ByteArrayOutputStream beginning) {
    try (client;
        var server = new Socket(InetAddress.getLoopbackAddress(), target)) {
      Thread back =
          Thread.ofVirtual().start(() -> copy(server, client, OutputStream.nullOutputStream()));
      copy(client, server, beginning);
      back.join();
    } catch (IOException e) {
      // The node is gone, as the client learns.
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Until one of them ends. */
  private static void copy(Socket from, Socket to, OutputStream kept) {
    byte[] bytes = new byte[KEPT_BYTES];
    int left = KEPT_BYTES;
    try (from;
        to) {
      InputStream in = from.getInputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        kept.write(bytes, 0, Math.min(left, count));
        left -= Math.min(left, count);
        to.getOutputStream().write(bytes, 0, count);
      }
    } catch (IOException e) {
      // It has ended.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
