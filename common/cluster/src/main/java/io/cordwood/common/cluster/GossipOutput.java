package io.cordwood.common.cluster;

import io.scalecube.cluster.Member;
import io.scalecube.cluster.transport.api.Message;
import java.io.DataOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectOutput;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes one message in the form that {@link GossipCodec} draws. */
final class GossipOutput extends DataOutputStream implements ObjectOutput {
  static final int VERSION = 1;

  private final List<MemberTable.Place> records = new ArrayList<>();
  private String lastMember = "";

  GossipOutput(OutputStream out) {
    super(out);
  }

  /** The places of the records of members in the frame that was written. */
  List<MemberTable.Place> records() {
    return records;
  }

  void writeFrame(Message message) throws IOException {
    MessageKind kind = MessageKind.ofQualifier(message.qualifier());
    writeByte(VERSION);
    writeByte(kind.tag());
    writeUTF(Objects.requireNonNullElse(message.correlationId(), ""));
    writeUTF(Objects.requireNonNullElse(message.sender(), ""));
    writeObject(message.data());
  }

  /** Called by the library's objects for what they hold. */
  @Override
  @SuppressWarnings("EnumOrdinal") // the library gives its enums no other number
  public void writeObject(@Nullable Object object) throws IOException {
    WireType type = PeerClasses.typeOf(object);
    int begin = size();
    writeByte(type.tag());
    switch (object) {
      case null -> {}
      case Member member -> writeMember(member);
      case Enum<?> constant -> writeByte(constant.ordinal());
      case Message news -> writeNews(news);
      case Externalizable other -> other.writeExternal(this);
      default -> throw new GossipFormatException("not a gossip object: " + type);
    }
    if (type == WireType.RECORD) {
      records.add(new MemberTable.Place(begin, size(), lastMember));
    }
  }

  private void writeMember(Member member) throws IOException {
    writeUTF(member.id());
    writeUTF(member.address());
    lastMember = member.address();
    writeUTF(member.namespace());
  }

  private void writeNews(Message news) throws IOException {
    if (!MessageKind.NEWS_QUALIFIER.equals(news.qualifier())) {
      throw new GossipFormatException("no gossip may carry " + news.qualifier());
    }
    writeObject(news.data());
  }
}
