package io.cordwood.dist.program;

import picocli.CommandLine.IVersionProvider;

/** The version, as the jar's manifest tells it. */
public final class Version implements IVersionProvider {
  /** Such as {@code 1.2.3}; {@code unpackaged} when the classes are run from a folder. */
  public static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "cordwood "
          + text()
          + " on Java "
          + Runtime.version()
          + " ("
          + System.getProperty("os.arch")
          + ")"
    };
  }
}
