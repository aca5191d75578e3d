package io.cordwood.ingest.sender;

import io.cordwood.ingest.RejectReason;

/** Makes records of lines that end with NUL, or LF and NUL: each NUL is taken for a LF. */
final class NulLineReader implements RecordReader {
  private static final byte NUL = 0;
  private static final byte LF = '\n';

  private final LineReader lines;

  NulLineReader(LineReader lines) {
    this.lines = lines;
  }

  @Override
  public boolean store(ReceivedBytes received, boolean ended) {
    received.replace(NUL, LF);
    return lines.store(received, ended);
  }

  @Override
  public void reject(ReceivedBytes received, RejectReason reason) {
    lines.reject(received, reason);
  }
}
