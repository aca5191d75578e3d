package io.cordwood.common.http.server;

/**
 * A path as a route has it, and the parameters that it takes.
 *
 * @param path one segment may be {@link #VARIABLE}
 */
record Endpoint(String path, Params params) {
  /** A segment of a path that takes any. */
  static final String VARIABLE = "/{}";

  /** Which segment of the path is a variable; -1 if none is. */
  int variable() {
    int at = path.indexOf(VARIABLE);
    return at < 0 ? -1 : (int) path.substring(0, at).chars().filter(c -> c == '/').count();
  }

  /** The segment of a path asked for that stands where the variable is. */
  String variableOf(String asked) {
    int start = start(asked, variable());
    int end = asked.indexOf('/', start + 1);
    return asked.substring(start + 1, end < 0 ? asked.length() : end);
  }

  /** The slash before a segment of a path; -1 if there is none. */
  static int start(String path, int segment) {
    int start = path.indexOf('/');
    for (int i = 0; i < segment && start >= 0; i++) {
      start = path.indexOf('/', start + 1);
    }
    return start;
  }
}
