package io.cordwood.dist;

import io.cordwood.common.http.ApiParams;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Of which topics records are wanted. */
final class TopicFlag implements QuickFlags {
  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description = {
        "Records of this topic: a name, the beginning of names and *, such as 'svc-*', or several",
        "with commas between; may be given several times. Default: all topics."
      })
  private List<String> topics = new ArrayList<>();

  @Override
  public boolean take(String flag, String value) {
    return flag.equals("--topic") && topics.add(value);
  }

  boolean isGiven() {
    return !topics.isEmpty();
  }

  void addTo(QueryString query) {
    query.addAll(ApiParams.TOPIC, topics);
  }
}
