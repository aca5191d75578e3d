package io.cordwood.common.cluster;

import io.cordwood.common.testing.Patience;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;

/** Somebody who connects to a gossip port and sends what he likes. */
final class Stranger implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final Introduction greeting;

  /** Connects and takes the greeting. */
  Stranger(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) Patience.LONG.toMillis());
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
    greeting = Introduction.read(in.readNBytes(in.readInt()));
  }

  Introduction greeting() {
    return greeting;
  }

  /** Introduces himself as one of the cluster, without a key. */
  Stranger introduced(String clusterName) throws IOException {
    return frame(Introduction.of(clusterName, List.of()).bytes());
  }

  Stranger frame(byte[] body) throws IOException {
    out.writeInt(body.length);
    return bytes(body);
  }

  Stranger bytes(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
    return this;
  }

  /** Waits for the end of the connection; false if anything is sent instead. */
  boolean isRefused() throws IOException {
    try {
      return in.read() == -1;
    } catch (SocketException e) {
      return true; // closed with bytes unread, which resets
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
