package io.cordwood.cli.cold;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.cold.ColdManifests;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ComparedList;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** {@code cordwood cold moved}: notes in a place at which address it was before. */
final class ColdMovedCommand implements Command {
  private static final int MOST_TOLD = 10;

  private final ColdPlace place = new ColdPlace();
  private String old = "";

  @Override
  public void list(FlagList list) {
    list.description(
        "Note in a place that it was at another address before: all of its objects were copied, "
            + "the one called 'place' as well. Nodes then take what stores have let go of, since "
            + "it is at the old address, for what is in this place. If the old address can still "
            + "be read, its segments and manifests are compared by their names first.");
    list.footer(
        "",
        "Exit code 0 if it is noted, 1 if something is lacking, 2 on error.",
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
      List<String> lacking = lacking(here, there);
      if (!lacking.isEmpty()) {
        lacking.stream()
            .limit(MOST_TOLD)
            .forEach(it -> System.err.printf("cordwood cold moved: expected %s%n", it));
        System.err.printf(
            "cordwood cold moved: %d segments or manifests are not in %s, or cannot be compared; "
                + "nothing is noted%n",
            lacking.size(), here.url());
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

  /**
   * All that the new place should have and has not: objects that are listed or named in the old
   * one, with the manifests there, and those that are named in the new one.
   */
  private static List<String> lacking(Bucket here, Bucket there) throws IOException {
    ComparedList now = ComparedList.of(here, UlidRange.ALL);
    Set<String> lacking = new TreeSet<>(unread(now));
    now.lacking().forEach(it -> lacking.add(id(it)));
    List<String> manifests = ColdManifests.keys(here);
    try {
      ComparedList before = ComparedList.of(there, UlidRange.ALL);
      Set<String> expected = new TreeSet<>(ColdManifests.keys(there));
      before.all().forEach(it -> expected.add(id(it)));
      manifests.forEach(expected::remove);
      now.list().objects().forEach(it -> expected.remove(id(it)));
      lacking.addAll(expected);
      lacking.addAll(unread(before));
    } catch (IOException e) {
      System.err.printf("cordwood cold moved: not compared, since %s%n", e.getMessage());
    }
    return List.copyOf(lacking);
  }

  private static List<String> unread(ComparedList list) {
    return list.unread().stream().map(it -> "a manifest that reads, found " + it.why()).toList();
  }

  private static String id(ColdObject object) {
    return object.name() + " of " + object.bytes() + " bytes";
  }
}
