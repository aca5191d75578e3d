package io.cordwood.ingest.bulk;

import java.io.IOException;

/** Makes batches of an upload's bytes. For the upload's thread. */
interface UploadReader {
  /**
   * Takes what is whole from the window, and writes it.
   *
   * @throws io.cordwood.common.wire.CorruptException if it is not what it must be
   */
  void take(UploadBuffer window) throws IOException, UploadRefusedException;
}
