package io.cordwood.common.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/** Explains what is wrong with a file: the JDK's messages are often its path alone. */
public final class FileTrouble {
  private FileTrouble() {}

  /** The file, and what is wrong with it. */
  public static String explain(IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> missing.getFile() + ": no such file or folder";
      case NotDirectoryException file -> file.getFile() + ": expected a folder, found a file";
      case AccessDeniedException denied -> denied.getFile() + denial(denied.getFile());
      case FileSystemException other when other.getReason() != null ->
          other.getFile() + ": " + other.getReason();
      case FileSystemException other -> other.getClass().getSimpleName() + ": " + other.getFile();
      default -> String.valueOf(e.getMessage());
    };
  }

  private static String denial(String file) {
    return ": permission denied to user " + System.getProperty("user.name") + rights(file);
  }

  private static String rights(String file) {
    try {
      var found = Files.readAttributes(Path.of(file), PosixFileAttributes.class, new LinkOption[0]);
      return "; it is %s of %s:%s"
          .formatted(
              PosixFilePermissions.toString(found.permissions()),
              found.owner().getName(),
              found.group().getName());
    } catch (IOException | RuntimeException e) {
      return ""; // a folder above it is closed, or there are no such rights here
    }
  }
}
