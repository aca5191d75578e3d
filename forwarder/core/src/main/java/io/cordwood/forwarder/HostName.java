package io.cordwood.forwarder;

import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The name of this machine, or of the container, as its system has it. */
public final class HostName {
  /** The label that has it. */
  public static final String LABEL = "host";

  /** The file in which Linux has it; no name service is asked. */
  private static final Path LINUX = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /** Empty if it has none that can be a label's value. */
  public static Optional<String> find() {
    String name = name().strip();
    try {
      Labels.of(Map.of(LABEL, name));
      return Optional.of(name).filter(found -> !found.isEmpty());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String name() {
    try {
      return Files.readString(LINUX);
    } catch (IOException e) {
      return nameOfLocalHost();
    }
  }

  private static String nameOfLocalHost() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "";
    }
  }
}
