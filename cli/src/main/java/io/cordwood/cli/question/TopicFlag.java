package io.cordwood.cli.question;

import io.cordwood.common.http.ApiParams;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The topics to search. */
public final class TopicFlag {
  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description =
          "Records of this topic: a name, the beginning of names and *, such as 'svc-*', or "
              + "several with commas between; may be given several times. Default: all topics.")
  List<String> topics = new ArrayList<>();

  boolean isGiven() {
    return !topics.isEmpty();
  }

  /** Adds them; none of them is all. */
  public void addTo(QueryString query) {
    query.addAll(ApiParams.TOPIC, topics);
  }
}
