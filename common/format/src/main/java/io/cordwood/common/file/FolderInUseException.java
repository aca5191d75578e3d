package io.cordwood.common.file;

import java.io.IOException;
import java.nio.file.Path;

/** A data folder belongs to another running process. */
public final class FolderInUseException extends IOException {
  public FolderInUseException(Path folder, String holder) {
    super(
        ("the data folder %s is in use by another process%s; "
                + "give this one a folder of its own with --data")
            .formatted(folder, holder.isEmpty() ? "" : " (" + holder + ")"));
  }
}
