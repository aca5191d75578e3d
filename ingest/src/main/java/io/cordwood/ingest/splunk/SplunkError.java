package io.cordwood.ingest.splunk;

/** An event that is never taken, for a reason that Splunk has a code for. */
final class SplunkError extends RuntimeException {
  private final int code;

  SplunkError(int code, String text) {
    super(text, null, false, false);
    this.code = code;
  }

  static SplunkError noData() {
    return new SplunkError(5, "No data");
  }

  /**
   * @param number of the event in its request, from 0
   */
  static SplunkError noEvent(int number) {
    return new SplunkError(12, "Event field is required, in event " + number);
  }

  static SplunkError blankEvent(int number) {
    return new SplunkError(13, "Event field cannot be blank, in event " + number);
  }

  int code() {
    return code;
  }
}
