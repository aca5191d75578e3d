package io.cordwood.cli.program;

import io.cordwood.common.file.FileTrouble;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;

/** Explains what failed. */
public final class Failures {
  private Failures() {}

  /** One line that says what failed, for people. */
  public static String explain(Exception e) {
    return switch (e) {
      case FileSystemException file -> FileTrouble.explain(file);
      case UncheckedIOException unchecked when unchecked.getCause() != null ->
          explain(unchecked.getCause());
      case CommandException _, IOException _ -> firstLine(e);
      default -> "a defect: " + e;
    };
  }

  static String firstLine(Exception e) {
    String message = e.getMessage();
    return message == null || message.isBlank()
        ? e.getClass().getSimpleName()
        : message.lines().findFirst().orElseThrow().replaceFirst("^Error: ", "");
  }
}
