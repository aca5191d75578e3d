package io.cordwood.common.bucket;

import java.io.IOException;

/** A source of credentials. Safe for all threads. */
interface AccessKeys {
  /**
   * The credentials of now.
   *
   * @throws BucketException if there are none; the message says where they were looked for
   */
  AccessKey current() throws IOException;

  /** Has the next call look again: those that it gave were refused as too old. */
  void renew();
}
