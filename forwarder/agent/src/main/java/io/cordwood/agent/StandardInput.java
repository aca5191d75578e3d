package io.cordwood.agent;

import io.cordwood.forwarder.ForwardStream;
import io.cordwood.forwarder.Forwarder;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;

/** The lines of standard input. A read of it cannot be ended by another thread. */
final class StandardInput implements ForwardInput {
  @Override
  public boolean pump(Forwarder forwarder) throws IOException {
    return new ForwardStream(new DecodedInput(new FileInputStream(FileDescriptor.in)), forwarder)
        .run();
  }

  @Override
  public boolean stop() {
    return false;
  }
}
