package io.cordwood.cli.files;

/**
 * The label before each line.
 *
 * @param named whether the file's name does
 * @param nulNames whether NUL stands after a file's name
 * @param numbered whether the line's number does
 * @param json whether each line is an object instead, that has all of it
 */
record LineLabel(boolean named, boolean nulNames, boolean numbered, boolean json) {
  /** Nothing. */
  public static final LineLabel NONE = new LineLabel(false, false, false, false);

  /** The text before a line, with a separator after each part. */
  String before(String name, long number, char separator) {
    String file = named ? name + behindName(separator) : "";
    return numbered ? file + number + separator : file;
  }

  /** The text after a file's name. */
  String behindName(char usual) {
    return String.valueOf(nulNames ? '\0' : usual);
  }

  boolean needsNumbers() {
    return numbered || json;
  }
}
