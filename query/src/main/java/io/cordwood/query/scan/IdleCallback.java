package io.cordwood.query.scan;

import java.io.IOException;

/** Something short that is done again and again while a search goes on, on the query's thread. */
@FunctionalInterface
interface IdleCallback {
  void run() throws IOException;
}
