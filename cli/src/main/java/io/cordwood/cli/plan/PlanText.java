package io.cordwood.cli.plan;

import static io.cordwood.cli.plan.Amounts.byteRate;
import static io.cordwood.cli.plan.Amounts.bytes;
import static io.cordwood.cli.plan.Amounts.number;
import static io.cordwood.cli.plan.Amounts.seconds;
import static io.cordwood.cli.plan.Amounts.share;

import java.util.List;

/** A plan for people: a row for each thing that they ask. One thread. */
final class PlanText {
  private static final double DAY = 86_400;

  /** Beyond that, waits are not what the formula for them says. */
  private static final double SATURATED = 0.9;

  private final StringBuilder text = new StringBuilder();
  private final Plan plan;
  private final Cluster cluster;
  private final Load load;

  PlanText(Plan plan, CostFlags.Costs known) {
    this.plan = plan;
    this.cluster = plan.cluster();
    this.load = plan.load();
    addLoad(known);
    row(
        "nodes",
        nodes(plan.ingest(), "ingest", "one takes all")
            + ", "
            + nodes(plan.stores(), "stores", "as many as copies"));
    plan.exceeded().forEach(this::addExceeded);
    addNodes();
    addMost();
    addLag();
    addQuestions();
    addLoss();
    addRetention();
    addSize();
    row("rests on", origins(known));
  }

  private double of(Figure figure) {
    return cluster.of(figure);
  }

  private double of(Parameter parameter) {
    return plan.parameters().of(parameter);
  }

  private void addLoad(CostFlags.Costs known) {
    double rate = load.bytesPerSecond();
    row(
        "load",
        "%s a day = %s, %s at peak; kept for %s on %d %s"
            .formatted(
                bytes(rate * DAY),
                byteRate(rate),
                byteRate(rate * load.peak()),
                seconds(load.retentionSeconds()),
                load.copies(),
                load.copies() == 1 ? "store" : "stores"));
    String found =
        known
            .corpus()
            .map(c ->
                " (%s of your lines, %s bytes each)"
                    .formatted(bytes(c.bytes()), number(c.lineBytes())))
            .orElse("");
    row(
        "size ratio",
        "%.3f as written first, %.3f settled%s"
            .formatted(of(Parameter.FIRST_SIZE), of(Parameter.SETTLED_SIZE), found));
  }

  private String nodes(Sizing sizing, String kind, String few) {
    String spare = plan.spare() == 0 ? "" : ", and %d that may be down".formatted(plan.spare());
    return "%d %s (%s)"
        .formatted(
            sizing.nodes(),
            kind,
            sizing.given() ? "given" : sizing.limit().map(Limit::words).orElse(few) + spare);
  }

  private void addExceeded(Limit limit) {
    row(
        "too little",
        "%s: %s is used to %s of what there is, at most %s should be"
            .formatted(
                limit.isOfIngest() ? "ingest nodes" : "stores",
                limit.words(),
                share(of(limit.used())),
                share(of(Parameter.FULL))));
  }

  private void addNodes() {
    row(
        "ingest, each",
        "processor %s; disk %s, to hold lines for %s; writes and reads %s"
            .formatted(
                share(of(Figure.INGEST_CPU_USED)),
                bytes(of(Figure.INGEST_DISK)),
                seconds(load.outageSeconds()),
                byteRate(of(Figure.INGEST_DISK_RATE))));
    row(
        "store, each",
        "processor %s; disk %s, of it %s for --trash-grace; writes %s, reads %s"
            .formatted(
                share(of(Figure.STORE_CPU_USED)),
                bytes(of(Figure.STORE_DISK)),
                share(of(Figure.GRACE_SHARE)),
                byteRate(of(Figure.STORE_WRITTEN)),
                byteRate(of(Figure.STORE_READ))));
    row(
        "",
        "%s segments, ready %s after a start"
            .formatted(number(of(Figure.SEGMENTS)), seconds(of(Figure.STARTED))));
    if (plan.machine().diskBytes() < Double.POSITIVE_INFINITY) {
      row("disks full", full());
    }
  }

  private String full() {
    double months = of(Figure.FULL_AFTER);
    if (of(Figure.STORE_DISK_USED) > of(Parameter.FULL)) {
      return "at once: a store needs " + bytes(of(Figure.STORE_DISK));
    }
    return months < Double.POSITIVE_INFINITY
        ? "in %s months, if the load grows %s a month"
            .formatted(number(months), share(load.growth()))
        : "never at this load: %s of each store's are used"
            .formatted(share(of(Figure.STORE_DISK_USED)));
  }

  private void addMost() {
    row("takes", "%s at most, then %s are full".formatted(byteRate(of(Figure.MOST)), plan.bound()));
    row(
        "backlog",
        "%s after an outage of %s; at twice the most, + %s a minute%s"
            .formatted(
                drained(),
                seconds(load.outageSeconds()),
                bytes(60 * of(Figure.MOST)),
                plan.machine().diskBytes() < Double.POSITIVE_INFINITY
                    ? ", ingest disks full in " + seconds(of(Figure.FILLED_AFTER))
                    : ""));
  }

  private String drained() {
    String after = seconds(of(Figure.DRAINED_AFTER));
    return after.equals("never") ? "never gone" : "gone in " + after;
  }

  private void addLag() {
    row(
        "lag",
        "until queryable %s; until on stores %s"
            .formatted(
                lag(Figure.QUERYABLE, Figure.INGEST_CPU_USED),
                lag(Figure.STORED, Figure.STORE_CPU_USED)));
  }

  private String lag(Figure lag, Figure used) {
    return of(used) > SATURATED ? "saturated" : seconds(of(lag));
  }

  private void addQuestions() {
    List<Question> questions = load.questions();
    for (int i = 0; i < questions.size(); i++) {
      Question each = questions.get(i);
      String answered =
          of(Figure.STORE_CPU_USED) > SATURATED
              ? "saturated"
              : seconds(cluster.of(Figure.ANSWERED, i));
      row(
          i == 0 ? "questions" : "",
          "%s %s: %s, searches %s of lines on each store, takes %s cores of all"
              .formatted(
                  each.kind(),
                  seconds(each.rangeSeconds()),
                  answered,
                  bytes(cluster.of(Figure.RANGE_BYTES, i)),
                  number(cluster.of(Figure.ASKED_CORES, i))));
    }
  }

  private void addLoss() {
    String lost =
        plan.withoutStore()
            .map(rest -> "takes %s at most; ".formatted(byteRate(rest.of(Figure.MOST))))
            .orElse("takes nothing, until it is back; ");
    String copies =
        load.copies() == 1
            ? "what it has is away until it is back, and lost with its disk"
            : plan.withoutStore().isEmpty()
                ? "one copy less of all it has, until it is back"
                : "all copies again after " + seconds(of(Figure.COPIED_AFTER));
    row("a store less", lost + copies);
  }

  private void addRetention() {
    row(
        "retention",
        "a day more takes %s of disk, %s a store"
            .formatted(
                bytes(of(Figure.DAY_BYTES)), bytes(of(Figure.DAY_BYTES) / plan.stores().nodes())));
  }

  private void addSize() {
    row(
        "all nodes",
        "%s; each hears of %s loads a minute, has up to %s connections with others"
                .formatted(
                    number(of(Figure.ALL_NODES)),
                    number(of(Figure.DESCRIPTIONS)),
                    number(of(Figure.CONNECTIONS) + of(Figure.GOSSIP_CONNECTIONS)))
            + ", a store %s open files".formatted(number(Math.ceil(of(Figure.OPEN)))));
    row(
        "",
        "a question takes %s of the heap, %s run at once on a node"
            .formatted(bytes(of(Figure.QUESTION_MEMORY)), number(Math.floor(of(Figure.AT_ONCE)))));
    row(
        "",
        "at most %s nodes in these proportions; first bound: %s"
            .formatted(
                number(Math.floor(of(Figure.MOST_NODES))), NodeBound.first(cluster).words()));
  }

  private static String origins(CostFlags.Costs known) {
    String usual = "the project's own figures, of a 2-core machine";
    if (known.cluster().isPresent()) {
      return "what these nodes did for " + seconds(known.cluster().get().seconds());
    }
    return known.corpus().isPresent()
        ? "your lines, and this machine for writing them; else " + usual
        : usual + "; --corpus and --measured take yours";
  }

  private void row(String name, String value) {
    text.append("%-13s %s%n".formatted(name, value));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
