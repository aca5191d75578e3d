package io.cordwood.query.request;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which topics are wanted: those of some names, and those whose names begin in some way; all if
 * nothing is said. Of these perhaps only batches with some labels. Immutable.
 *
 * @param beginnings of names; an empty one is that of every name
 * @param labels that a batch must have, beside others
 */
public record Topics(Set<Topic> names, Set<String> beginnings, Labels labels) {
  public static final Topics ALL = new Topics(Set.of(), Set.of(), Labels.NONE);

  private static final String REST = "*";
  private static final String SEPARATOR = ",";

  public Topics {
    names = Set.copyOf(names);
    beginnings = Set.copyOf(beginnings);
  }

  /**
   * Reads texts, each {@code NAME}, {@code BEGINNING*}, or several of them with commas between.
   *
   * @throws IllegalArgumentException if one is neither; the message says why
   */
  public static Topics parse(List<String> texts) {
    Set<Topic> names = new LinkedHashSet<>();
    Set<String> beginnings = new LinkedHashSet<>();
    for (String text : texts) {
      for (String one : text.split(SEPARATOR, -1)) {
        if (one.endsWith(REST)) {
          beginnings.add(beginning(one.substring(0, one.length() - 1)));
        } else {
          names.add(new Topic(one));
        }
      }
    }
    return new Topics(names, beginnings, Labels.NONE);
  }

  private static String beginning(String text) {
    return text.isEmpty() ? text : new Topic(text).name();
  }

  /** Only what batches with these labels have of them. */
  public Topics of(Labels others) {
    return new Topics(names, beginnings, others);
  }

  /** Whether the labels of a batch are among those that are wanted. */
  public boolean admit(Labels ofBatch) {
    return labels.isEmpty() || ofBatch.pairs().entrySet().containsAll(labels.pairs().entrySet());
  }

  public boolean contain(Topic topic) {
    return isAll()
        || names.contains(topic)
        || beginnings.stream().anyMatch(each -> topic.name().startsWith(each));
  }

  /**
   * Those that are in others, too.
   *
   * @param allowed not all
   * @throws TopicsDeniedException if a name is not in them, or nothing is left
   */
  public Topics within(Topics allowed) throws TopicsDeniedException {
    if (isAll()) {
      return allowed;
    }
    if (!names.stream().allMatch(allowed::contain)) {
      throw new TopicsDeniedException();
    }
    Set<Topic> bothNames = new LinkedHashSet<>(names);
    Set<String> bothBeginnings = new LinkedHashSet<>();
    for (String beginning : beginnings) {
      allowed.names.stream().filter(n -> n.name().startsWith(beginning)).forEach(bothNames::add);
      for (String other : allowed.beginnings) {
        if (other.startsWith(beginning)) {
          bothBeginnings.add(other);
        } else if (beginning.startsWith(other)) {
          bothBeginnings.add(beginning);
        }
      }
    }
    if (bothNames.isEmpty() && bothBeginnings.isEmpty()) {
      throw new TopicsDeniedException();
    }
    return new Topics(bothNames, bothBeginnings, labels);
  }

  /** Whether all of them are among others. */
  public boolean areIn(Topics others) {
    return others.isAll()
        || (!isAll()
            && names.stream().allMatch(others::contain)
            && beginnings.stream()
                .allMatch(each -> others.beginnings.stream().anyMatch(each::startsWith)));
  }

  public boolean isAll() {
    return names.isEmpty() && beginnings.isEmpty();
  }

  /** As {@link #parse} reads them. */
  public List<String> texts() {
    return Stream.concat(
            names.stream().map(Topic::name), beginnings.stream().map(each -> each + REST))
        .toList();
  }
}
