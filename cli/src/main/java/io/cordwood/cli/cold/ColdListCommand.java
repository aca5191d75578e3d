package io.cordwood.cli.cold;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.RangeFlags;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.cold.ColdList;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ComparedList;
import io.cordwood.common.text.Sizes;
import java.io.IOException;
import java.util.List;

/** {@code cordwood cold ls}: which segments are in a bucket. */
final class ColdListCommand implements Command {
  private final ColdPlace place = new ColdPlace();
  private final RangeFlags range = new RangeFlags();

  @Override
  public void list(FlagList list) {
    list.description(
        "List the segments of a place: class, bytes, times of the first record and of the last, "
            + "and name. What is named there as put, but not listed, is told on standard error. "
            + "This makes one request for a thousand of them, and one or more for each day.");
    list.footer(
        "",
        "Exit code 0 if there is one, 1 if there is none, 2 on error, or if one is named but not "
            + "listed.");
    list.sorted();
    list.addAll(place);
    list.addAll(range);
  }

  @Override
  public Integer call() throws IOException {
    try (Bucket bucket = place.open()) {
      ComparedList compared = list(bucket);
      ColdList found = compared.list().decrypted(bucket);
      var text = new StringBuilder();
      for (ColdObject it : found.objects()) {
        text.append(
            "%s  %11d  %s  %s  %s%n"
                .formatted(
                    it.name().retention(),
                    it.bytes(),
                    it.name().range().from().time(),
                    it.name().range().to().time(),
                    it.name()));
      }
      StandardOutput.print(text);
      ColdPlace.complain("ls", compared);
      System.err.printf(
          "cordwood cold ls: %d segments, %s%n",
          found.objects().size(), Sizes.format(found.bytes()));
      if (!compared.lacking().isEmpty()) {
        return Programs.ERROR;
      }
      return found.objects().isEmpty() ? Programs.NONE : Programs.SUCCESS;
    }
  }

  /** Names can be listed without a key, manifests cannot be read. */
  private ComparedList list(Bucket bucket) throws IOException {
    try {
      return ColdPlace.list(bucket, range);
    } catch (BucketException e) {
      if (e.kind() != BucketException.Kind.KEY) {
        throw e;
      }
      System.err.printf("cordwood cold ls: not compared with what is named: %s%n", e.getMessage());
      return new ComparedList(ColdList.of(bucket, ColdPlace.ulids(range)), List.of(), 0);
    }
  }
}
