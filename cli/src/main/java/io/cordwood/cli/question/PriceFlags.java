package io.cordwood.cli.question;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Decimals;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Prices of a bucket, for what a search would take of it. */
public final class PriceFlags implements Flags {
  public static final String OF_REQUESTS = "--request-price";
  public static final String OF_BYTES = "--gb-price";

  private static final double REQUESTS = 1e6;
  private static final double BYTES = 1e9;
  private static final MathContext DIGITS = new MathContext(3);

  private @Nullable Double ofRequests;
  private @Nullable Double ofBytes;

  @Override
  public void list(FlagList list) {
    list.flag(OF_REQUESTS)
        .label("PRICE")
        .help("With --dry-run: what a million requests to the bucket cost, such as 0.4.")
        .value(Double.class, Decimals::read, ofRequests, value -> ofRequests = value);
    list.flag(OF_BYTES)
        .label("PRICE")
        .help("With --dry-run: what a billion bytes out of the bucket cost, such as 0.09.")
        .value(Double.class, Decimals::read, ofBytes, value -> ofBytes = value);
  }

  /**
   * Three digits of it, in the currency of the prices; empty if none is given. A price that is not
   * given is 0.
   */
  public Optional<String> cost(long requests, long bytes) {
    if (ofRequests == null && ofBytes == null) {
      return Optional.empty();
    }
    double cost = requests / REQUESTS * orZero(ofRequests) + bytes / BYTES * orZero(ofBytes);
    return Optional.of(new BigDecimal(cost).round(DIGITS).toPlainString());
  }

  private static double orZero(@Nullable Double price) {
    return price == null ? 0 : price;
  }

  /**
   * Refuses prices of a search that is made.
   *
   * @throws CommandException if there are any
   */
  public void refuse() {
    if (ofRequests != null || ofBytes != null) {
      throw new CommandException(
          "expected --dry-run with " + (ofRequests == null ? OF_BYTES : OF_REQUESTS));
    }
  }
}
