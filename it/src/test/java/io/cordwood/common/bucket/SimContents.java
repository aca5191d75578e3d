package io.cordwood.common.bucket;

import java.io.IOException;
import java.io.InputStream;

/** What a simulated bucket has to do with the bytes that are put into it. */
public final class SimContents {
  private SimContents() {}

  public static byte[] of(ObjectContent content) throws IOException {
    try (InputStream in = content.open()) {
      return in.readAllBytes();
    }
  }

  /** A count of requests of which none is made. */
  public static BucketRequests requests() {
    return new BucketRequests();
  }
}
