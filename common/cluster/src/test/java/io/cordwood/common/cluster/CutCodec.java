package io.cordwood.common.cluster;

import io.scalecube.cluster.transport.api.Message;
import io.scalecube.cluster.transport.api.MessageCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A wire that can be cut, both ways, and that remembers what was written. */
final class CutCodec implements MessageCodec {
  private final MessageCodec codec = new GossipCodec();
  private final List<String> written = new CopyOnWriteArrayList<>();
  private volatile boolean cut;

  void cut(boolean now) {
    cut = now;
  }

  List<String> written() {
    return written;
  }

  @Override
  public Message deserialize(InputStream stream) throws Exception {
    check();
    return codec.deserialize(stream);
  }

  @Override
  public void serialize(Message message, OutputStream stream) throws Exception {
    check();
    written.add(message.toString());
    codec.serialize(message, stream);
  }

  private void check() throws IOException {
    if (cut) {
      throw new GossipFormatException("the wire is cut");
    }
  }
}
