package io.cordwood.cli.program;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version, as the jar's manifest tells it, and the commit that it was built from. */
public final class Version implements IVersionProvider {
  /** Such as {@code 1.2.3}; {@code unpackaged} when the classes are run from a folder. */
  public static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  /**
   * Such as {@code 36641e4}, with {@code -modified} after it if files were changed since; {@code
   * unknown} if it was built from an archive of the sources.
   */
  public static String commit() {
    try (InputStream file = Version.class.getResourceAsStream("build.properties")) {
      var properties = new Properties();
      if (file != null) {
        properties.load(file);
      }
      return properties.getProperty("git.commit.id.describe", "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "cordwood %s (commit %s) on Java %s (%s)"
          .formatted(text(), commit(), Runtime.version(), System.getProperty("os.arch"))
    };
  }
}
