import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.ForwarderCounters;
import io.cordwood.forwarder.ForwarderListener;
import io.cordwood.forwarder.ForwarderOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Forwarders that all know one node, each with lines of its own at a steady rate until a file is
 * there; then prints what became of all of them.
 *
 * <p>Arguments: the node's durable port, how many forwarders, how many lines a second of each, and
 * the file that ends it.
 */
final class BalancedSenders {
  private static final Duration LONG = Duration.ofMinutes(1);

  private BalancedSenders() {}

  public static void main(String[] args) throws Exception {
    int senders = Integer.parseInt(args[1]);
    int rate = Integer.parseInt(args[2]);
    Path end = Path.of(args[3]);
    ForwarderOptions options =
        ForwarderOptions.builder()
            .target("127.0.0.1", Integer.parseInt(args[0]))
            .windowBytes(ForwarderOptions.MIN_WINDOW_BYTES)
            .build();
    List<Forwarder> forwarders = new ArrayList<>();
    for (int i = 0; i < senders; i++) {
      forwarders.add(Forwarder.start(options, ForwarderListener.NONE));
    }
    long sent = 0;
    for (long next = System.nanoTime(); !Files.exists(end); next += 1_000_000_000 / rate) {
      for (int i = 0; i < senders; i++) {
        String line = "sender " + i + " line " + sent++ + " " + ".".repeat(80);
        forwarders.get(i).send(line.getBytes(StandardCharsets.US_ASCII));
      }
      Thread.sleep(Math.max(0, (next - System.nanoTime()) / 1_000_000));
    }
    for (Forwarder forwarder : forwarders) {
      forwarder.close(LONG);
    }
    System.out.println("sent " + sent);
    print("acknowledged", forwarders, ForwarderCounters::acknowledged);
    print("dropped", forwarders, ForwarderCounters::droppedRecords);
    print("resent", forwarders, c -> c.handling().resentRecords());
    print("moves", forwarders, c -> c.connections().moves());
    print("lost_connections", forwarders, c -> c.connections().disconnects());
    print("ignored_hints", forwarders, c -> c.connections().ignoredHints());
  }

  private static void print(
      String name, List<Forwarder> forwarders, ToLongFunction<ForwarderCounters> figure) {
    long sum = forwarders.stream().map(Forwarder::counters).mapToLong(figure).sum();
    System.out.println(name + " " + sum);
  }
}
