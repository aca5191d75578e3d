package io.cordwood.cli.testsvc;

import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

/** The wording of a few made-up services: a shop's, from the edge to the database. */
final class TestPhrases {
  /** Stands where the time of day goes. */
  static final String TIME = "\u0001";

  private static final List<String> HOSTS =
      List.of("edge-1", "edge-2", "shop-1", "shop-2", "shop-3", "pay-1", "db-1");
  private static final List<String> PATHS =
      List.of(
          "/", "/cart", "/cart/items", "/checkout", "/search?q=lamp", "/img/logo.svg", "/login");
  private static final List<String> AGENTS =
      List.of("curl/8.5.0", "Mozilla/5.0 (X11; Linux x86_64)", "shop-app/3.1 (Android 15)");
  private static final List<String> ITEMS =
      List.of("oak shelf", "desk lamp", "felt rug", "wall clock", "tea pot");
  private static final List<String> COLUMNS =
      List.of("orders.created_at", "carts.owner", "stock.item_id", "users.mail");

  private final SplittableRandom random;

  TestPhrases(SplittableRandom random) {
    this.random = random;
  }

  /** One line, without a line feed. */
  String line() {
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> access();
      case 4, 5, 6 -> application();
      case 7, 8 -> json();
      case 9 -> keyValue();
      case 10 -> database();
      default -> failure();
    };
  }

  private String access() {
    int status = random.nextInt(20) == 0 ? 503 : random.nextInt(8) == 0 ? 404 : 200;
    return "%s %s 10.%d.%d.%d \"GET %s HTTP/1.1\" %d %d %.3f \"%s\""
        .formatted(
            TIME,
            one(HOSTS),
            random.nextInt(4),
            random.nextInt(256),
            1 + random.nextInt(254),
            one(PATHS),
            status,
            random.nextInt(90_000),
            random.nextInt(900) / 1000.0,
            one(AGENTS));
  }

  private String application() {
    return ("%s INFO  [worker-%d] shop.order.OrderService - order %s: "
            + "%d x %s for customer %d accepted in %d ms")
        .formatted(
            TIME,
            random.nextInt(16),
            id(8),
            1 + random.nextInt(5),
            one(ITEMS),
            10_000 + random.nextInt(90_000),
            3 + random.nextInt(240));
  }

  private String json() {
    return ("{\"ts\":\"%s\",\"level\":\"%s\",\"service\":\"payments\",\"trace\":\"%s\","
            + "\"msg\":\"charge %s\",\"cents\":%d}")
        .formatted(
            TIME,
            random.nextInt(10) == 0 ? "warn" : "info",
            id(16),
            random.nextInt(10) == 0 ? "delayed, bank asks again" : "settled",
            random.nextInt(500_000));
  }

  private String keyValue() {
    return "ts=%s level=debug component=cache shard=%d key=session:%s hit=%b ttl=%ds"
        .formatted(TIME, random.nextInt(32), id(10), random.nextBoolean(), random.nextInt(3600));
  }

  private String database() {
    return "%s db-1 postgres[%d]: LOG: duration: %.3f ms  plan: index scan on %s, %d rows"
        .formatted(
            TIME,
            1000 + random.nextInt(9000),
            random.nextInt(2_000_000) / 1000.0,
            one(COLUMNS),
            random.nextInt(5000));
  }

  private String failure() {
    return ("%s ERROR [worker-%d] shop.pay.BankClient - error: bank did not answer within %d ms "
            + "for order %s, attempt %d of 3")
        .formatted(
            TIME, random.nextInt(16), 500 * (1 + random.nextInt(6)), id(8), 1 + random.nextInt(3));
  }

  private String id(int bytes) {
    byte[] bits = new byte[bytes];
    random.nextBytes(bits);
    return HexFormat.of().formatHex(bits);
  }

  private String one(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
