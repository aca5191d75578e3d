package io.cordwood.agent.follow;

/** The form around the text in each line of a file. */
public enum LineFormat {
  /** The first line shows it. */
  auto,
  /** The form that kubelets have runtimes write: {@code time stream tag text}. */
  cri,
  /** The form of Docker's driver {@code json-file}: an object with text, stream and time. */
  docker,
  /** Entries of Docker's driver {@code local}, which are no lines. */
  local,
  /** Nothing. */
  plain;

  boolean isOfContainers() {
    return this == cri || this == docker || this == local;
  }
}
