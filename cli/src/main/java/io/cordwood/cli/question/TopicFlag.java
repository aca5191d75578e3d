package io.cordwood.cli.question;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.http.ApiParams;
import java.util.ArrayList;
import java.util.List;

/** The topics to search. */
public final class TopicFlag implements Flags {
  List<String> topics = new ArrayList<>();

  @Override
  public void list(FlagList list) {
    list.flag("--topic")
        .label("NAME")
        .help(
            "Records of this topic: a name, the beginning of names and *, such as 'svc-*', or "
                + "several with commas between; may be given several times. Default: all topics.")
        .list(String.class, topics, value -> topics = value);
  }

  /** As they are given; none for all. */
  public List<String> texts() {
    return List.copyOf(topics);
  }

  /** Adds them; none of them is all. */
  public void addTo(QueryString query) {
    query.addAll(ApiParams.TOPIC, topics);
  }
}
