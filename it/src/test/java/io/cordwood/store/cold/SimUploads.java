package io.cordwood.store.cold;

import java.io.IOException;

/** The uploads of a simulated store, by its own classes. */
public record SimUploads(ColdUploader uploader) {
  /** Uploads what is due. */
  public void step() throws IOException {
    uploader.uploadDue();
  }
}
