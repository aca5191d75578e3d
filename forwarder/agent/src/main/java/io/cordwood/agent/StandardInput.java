package io.cordwood.agent;

import io.cordwood.common.wire.ForeignBytesException;
import io.cordwood.forwarder.ForwardStream;
import io.cordwood.forwarder.Forwarder;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The lines of standard input. A read of it cannot be ended by another thread. */
final class StandardInput implements ForwardInput {
  @Override
  public boolean pump(Forwarder forwarder) throws IOException {
    return pump(new FileInputStream(FileDescriptor.in), forwarder);
  }

  /** False, after it is said, if what comes is no lines. */
  static boolean pump(InputStream in, Forwarder forwarder) throws IOException {
    try {
      return new ForwardStream(new DecodedInput(in), forwarder).run();
    } catch (ForeignBytesException e) {
      ForwardLog.say("nothing is sent: " + e.getMessage());
      return false;
    }
  }

  @Override
  public boolean stop() {
    return false;
  }
}
