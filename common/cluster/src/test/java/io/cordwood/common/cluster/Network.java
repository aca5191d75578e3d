package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The network between the nodes of one test: real sockets with a relay in between, one for each
 * pair of caller and callee, that can hold back what goes from one node to another.
 *
 * <p>Fault model: while a way is cut, bytes that go it are held back, on old connections and new
 * ones, whoever opened them. When it is healed, either they arrive, late: that is what TCP makes of
 * a network that loses every packet for a short time, and of a node that is paused and goes on. Or
 * they never do and their connections end, as after a long time. Names can be made to lead
 * elsewhere, or nowhere.
 */
final class Network implements AutoCloseable {
  private final Map<String, Integer> names = new ConcurrentHashMap<>();
  private final Map<Integer, String> nodes = new ConcurrentHashMap<>();
  private final Map<String, Relay> relays = new ConcurrentHashMap<>();
  private final Set<String> cuts = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connectionAge = new AtomicInteger();
  private final ByteArrayOutputStream seen = new ByteArrayOutputStream();

  /** Which node it is that listens on this port. */
  void add(String node, int port) {
    nodes.put(port, node);
  }

  /** Makes a name lead to this port from now on, whatever port is asked for. */
  void name(String name, int port) {
    names.put(name, port);
  }

  /** How this node finds the others: by way of relays. */
  Resolver resolverOf(String node) {
    return address -> {
      int port = portOf(address);
      String callee = nodes.getOrDefault(port, "?");
      Relay relay = relays.computeIfAbsent(node + ">" + port, _ -> new Relay(node, callee, port));
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), relay.port());
    };
  }

  private int portOf(HostPort address) throws UnknownHostException {
    if (!address.host().endsWith(".test")) {
      return address.port();
    }
    Integer port = names.get(address.host());
    if (port == null) {
      throw new UnknownHostException(address.host());
    }
    return port;
  }

  static HostPort named(String name) {
    return new HostPort(name, 7659);
  }

  void cut(String from, String to) {
    cuts.add(from + ">" + to);
  }

  void cutBothWays(List<String> some, List<String> others) {
    some.forEach(a ->
        others.forEach(b -> {
          cut(a, b);
          cut(b, a);
        }));
  }

  /** What was held back arrives. */
  void heal() {
    cuts.clear();
  }

  /** What was held back is lost, and so are the connections. */
  void healAfterLong() {
    connectionAge.incrementAndGet();
    cuts.clear();
  }

  /** All that went over it so far, one byte a character. */
  synchronized String seen() {
    return seen.toString(StandardCharsets.ISO_8859_1);
  }

  private synchronized void saw(byte[] bytes, int count) {
    seen.write(bytes, 0, count);
  }

  @Override
  public void close() throws IOException {
    for (Relay relay : relays.values()) {
      relay.close();
    }
  }

  private final class Relay {
    private final String caller;
    private final String callee;
    private final int target;
    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    Relay(String caller, String callee, int target) {
      this.caller = caller;
      this.callee = callee;
      this.target = target;
      try {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Thread.ofVirtual().start(this::accept);
    }

    int port() {
      return server.getLocalPort();
    }

    private void accept() {
      try {
        while (!closed) {
          Socket near = server.accept();
          sockets.add(near);
          Thread.ofVirtual().start(() -> connect(near));
        }
      } catch (IOException e) {
        closed = true; // the test is over
      }
    }

    private void connect(Socket near) {
      try {
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(far);
        Thread.ofVirtual().start(() -> pump(near, far, caller + ">" + callee));
        pump(far, near, callee + ">" + caller);
      } catch (IOException e) {
        end(near); // nobody listens there
      }
    }

    private void pump(Socket from, Socket to, String way) {
      byte[] bytes = new byte[64 * 1024];
      try {
        for (int count = from.getInputStream().read(bytes);
            count >= 0;
            count = from.getInputStream().read(bytes)) {
          int age = connectionAge.get();
          while (cuts.contains(way) && !closed) {
            Thread.sleep(5);
          }
          if (age != connectionAge.get()) {
            break;
          }
          saw(bytes, count);
          to.getOutputStream().write(bytes, 0, count);
        }
      } catch (IOException | InterruptedException e) {
        closed |= Thread.currentThread().isInterrupted(); // otherwise one end is gone
      }
      end(from);
      end(to);
    }

    private void end(Socket socket) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void close() throws IOException {
      closed = true;
      server.close();
      sockets.forEach(this::end);
    }
  }
}
