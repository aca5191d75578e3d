package io.cordwood.cli.cold;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.PatternFlags;
import io.cordwood.cli.question.PriceFlags;
import io.cordwood.cli.question.RangeFlags;
import io.cordwood.cli.question.TopicFlag;
import io.cordwood.cli.records.RecordForm;
import io.cordwood.cli.records.RecordPrinter;
import io.cordwood.cli.records.StyleFlags;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.text.Sizes;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Topics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code cordwood cold grep}: the records in a bucket that match, without any node. */
final class ColdGrepCommand implements Command {
  private static final long DEFAULT_REQUESTS = 100_000;

  private final ColdPlace place = new ColdPlace();
  private final PatternFlags patterns = new PatternFlags();
  private final RangeFlags range = new RangeFlags();
  private final TopicFlag topics = new TopicFlag();
  private final StyleFlags style = new StyleFlags(new RecordForm());
  private List<String> arguments = new ArrayList<>();
  private boolean count;
  private boolean ulid;
  private final PriceFlags prices = new PriceFlags();
  private boolean dryRun;
  private long maxRequests = DEFAULT_REQUESTS;

  @Override
  public void list(FlagList list) {
    list.description(
        "Print the records in a place that contain PATTERN, in the order of their time. It needs "
            + "no node: for each segment one request tells which of its blocks may have the text, "
            + "and only these are read.");
    list.footer(
        "",
        "Exit code 0 if a record was found, 1 if none, 2 on error or if records may be missing.",
        "",
        "  cordwood cold grep s3://bucket/logs --since 30d 'order 4711'",
        "  cordwood cold grep s3://bucket/logs --since 30d --dry-run 'order 4711'");
    list.addAll(place);
    list.argument("1..*", "0..1")
        .label("PATTERN")
        .help("What to look for: a text, unless -E or -i. With -e or -f there is none.")
        .list(String.class, arguments, value -> arguments = value);
    list.addAll(patterns);
    list.addAll(range);
    list.addAll(topics);
    list.flag("-c", "--count").help("Only the number of records.").on(value -> count = value);
    list.flag("--ulid")
        .help("Put each record's ULID and a space before it.")
        .on(value -> ulid = value);
    list.flag("--dry-run")
        .help("Only say how many segments, requests and bytes it would take.")
        .on(value -> dryRun = value);
    list.addAll(prices);
    list.flag("--max-requests")
        .label("N")
        .help("Requests to the place, after which the search ends. Default: 100000.")
        .count(maxRequests, value -> maxRequests = value);
    list.addAll(style);
  }

  @Override
  public Integer call() throws IOException {
    if (arguments.isEmpty() && !patterns.areGiven() && !patterns.haveConditions()) {
      throw new CommandException("expected a PATTERN, found none");
    }
    if (!dryRun) {
      prices.refuse();
    }
    PatternSpec pattern = patterns.specOrAll(arguments);
    try (Bucket bucket = place.open();
        RecordPrinter printer = style.printer(patterns, pattern, false, new StandardOutput());
        var search = new ColdSearch(bucket, query(pattern), maxRequests)) {
      if (dryRun) {
        return say(search.plan());
      }
      ColdSearch.Outcome outcome = search.run(new ColdPrinter(printer, ulid));
      if (count) {
        printer.message(String.valueOf(outcome.matches()));
      }
      printer.flush();
      outcome.lack().ifPresent(why -> System.err.println("cordwood cold grep: " + why));
      return outcome.lack().isPresent()
          ? Programs.ERROR
          : outcome.matches() > 0 ? Programs.SUCCESS : Programs.NONE;
    } catch (StandardOutput.ClosedException e) {
      return Programs.SUCCESS;
    }
  }

  private Query query(PatternSpec pattern) {
    return Query.matching(
        pattern,
        patterns.conditions(),
        patterns.matcher(pattern),
        patterns.areInverted(),
        ColdPlace.ulids(range),
        topics(),
        count ? Query.Detail.COUNT : ulid ? Query.Detail.ULIDS : Query.Detail.BYTES);
  }

  private Topics topics() {
    try {
      return Topics.parse(topics.texts());
    } catch (IllegalArgumentException e) {
      throw new CommandException("--topic: " + e.getMessage(), e);
    }
  }

  private int say(ColdSearch.Plan plan) throws IOException {
    StandardOutput.print(
        """
        segments  %d, %s
        known by  %d requests, %s
        to read   %d of %d blocks, by %d requests, %s
        """
            .formatted(
                plan.segments(),
                Sizes.format(plan.segmentBytes()),
                plan.requests(),
                Sizes.format(plan.receivedBytes()),
                plan.candidates(),
                plan.blocks(),
                plan.reading().requests(),
                Sizes.format(plan.reading().bytes())));
    long requests = plan.requests() + plan.reading().requests();
    Optional<String> cost = prices.cost(requests, plan.receivedBytes() + plan.reading().bytes());
    if (cost.isPresent()) {
      StandardOutput.print("cost      " + cost.get() + " in all\n");
    }
    return Programs.SUCCESS;
  }
}
