package io.cordwood.cli.cold;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.cold.ColdList;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/** {@code cordwood cold moved}: notes in a place at which address it was before. */
final class ColdMovedCommand implements Command {
  private final ColdPlace place = new ColdPlace();
  private String old = "";

  @Override
  public void list(FlagList list) {
    list.description(
        "Note in a place that it was at another address before: all of its objects were copied, "
            + "the one called 'place' as well. Nodes then take what stores have let go of, since "
            + "it is at the old address, for what is in this place. If the old address can still "
            + "be read, its segments are compared by their names first.");
    list.footer(
        "",
        "Exit code 0 if it is noted, 1 if segments are lacking, 2 on error.",
        "",
        "  cordwood cold moved s3://new-bucket/logs s3://old-bucket/logs");
    list.sorted();
    list.addAll(place);
    list.argument("1", "1")
        .label("OLDPLACE")
        .help("Where it was before.")
        .value(String.class, old, value -> old = value);
  }

  @Override
  public Integer call() throws IOException {
    try (Bucket here = place.open();
        Bucket there = open(old)) {
      if (here.url().equals(there.url())) {
        throw new CommandException("expected two addresses, found " + here.url() + " twice");
      }
      long lacking = lacking(here, there);
      if (lacking > 0) {
        System.err.printf(
            "cordwood cold moved: %d segments of %s are not in %s; nothing is noted%n",
            lacking, there.url(), here.url());
        return Programs.NONE;
      }
      BucketPlace.wasAt(here, there.url());
      System.err.printf(
          "cordwood cold moved: %s was %s before; nodes know it half an hour later%n",
          here.url(), there.url());
      return Programs.SUCCESS;
    }
  }

  private static Bucket open(String url) throws IOException {
    try {
      return BucketUrl.parse(url).open();
    } catch (IllegalArgumentException e) {
      throw new CommandException("OLDPLACE: " + e.getMessage(), e);
    }
  }

  /** Segments of the old place that the new one lacks, or has in another length. */
  private static long lacking(Bucket here, Bucket there) throws IOException {
    ColdList before;
    try {
      before = ColdList.of(there, UlidRange.ALL);
    } catch (IOException e) {
      System.err.printf("cordwood cold moved: not compared, since %s%n", e.getMessage());
      return 0;
    }
    Set<String> has = new HashSet<>();
    ColdList.of(here, UlidRange.ALL).objects().forEach(it -> has.add(id(it)));
    return before.objects().stream().filter(it -> !has.contains(id(it))).count();
  }

  private static String id(ColdObject object) {
    return object.name() + " " + object.bytes();
  }
}
