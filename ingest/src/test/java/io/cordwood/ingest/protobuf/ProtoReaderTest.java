package io.cordwood.ingest.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.cordwood.common.http.server.HttpError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Messages of protocol buffers, against the encoder of the library for them. */
class ProtoReaderTest {
  private static final int MAX_BYTES = 1 << 20;
  private static final int NUMBER = 1;
  private static final int FIXED64 = 2;
  private static final int FIXED32 = 3;
  private static final int TEXT = 4;
  private static final int MESSAGE = 5;

  private final Random random = new Random(11);

  /** Writes a message of random fields, and what reading it must give. */
  private UnknownFieldSet message(int depth, StringBuilder expected) {
    var fields = UnknownFieldSet.newBuilder();
    for (int number = 1; number <= 6; number++) {
      var field = UnknownFieldSet.Field.newBuilder();
      for (int n = random.nextInt(3); n > 0; n--) {
        add(field, number, depth, expected);
      }
      fields.addField(number, field.build());
    }
    return fields.build();
  }

  private void add(
      UnknownFieldSet.Field.Builder field, int number, int depth, StringBuilder expected) {
    switch (number) {
      case NUMBER -> {
        long value = random.nextLong() >> random.nextInt(Long.SIZE);
        field.addVarint(value);
        expected.append(value).append(' ');
      }
      case FIXED64 -> {
        long value = random.nextLong();
        field.addFixed64(value);
        expected.append(value).append(' ');
      }
      case FIXED32 -> {
        int value = random.nextInt();
        field.addFixed32(value);
        expected.append(value).append(' ');
      }
      case TEXT -> {
        String value = "é".repeat(random.nextInt(50) * (random.nextInt(20) == 0 ? 1000 : 1));
        field.addLengthDelimited(ByteString.copyFromUtf8(value));
        expected.append(value).append(' ');
      }
      case MESSAGE -> {
        expected.append('(');
        UnknownFieldSet inner =
            depth == 0 ? UnknownFieldSet.getDefaultInstance() : message(depth - 1, expected);
        field.addLengthDelimited(inner.toByteString());
        expected.append(')');
      }
      default -> field.addLengthDelimited(ByteString.copyFrom(new byte[random.nextInt(40_000)]));
    }
  }

  private static String read(ProtoReader reader) throws IOException {
    var found = new StringBuilder();
    while (reader.next()) {
      switch (reader.field()) {
        case NUMBER -> found.append(reader.varint()).append(' ');
        case FIXED64 -> found.append(reader.fixed64()).append(' ');
        case FIXED32 -> found.append(reader.fixed32()).append(' ');
        case TEXT -> found.append(reader.text()).append(' ');
        case MESSAGE -> {
          long outer = reader.enter();
          found.append('(').append(read(reader)).append(')');
          reader.leave(outer);
        }
        default -> {}
      }
    }
    return found.toString();
  }

  private InputStream dribbled(byte[] bytes) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public int read(byte[] into, int at, int length) {
        return super.read(into, at, Math.min(length, 1 + random.nextInt(100)));
      }
    };
  }

  @Test
  void whatTheLibraryWritesIsReadFromArraysAndFromStreams() throws Exception {
    for (int i = 0; i < 200; i++) {
      var expected = new StringBuilder();
      byte[] bytes = message(3, expected).toByteArray();
      byte[] within = new byte[bytes.length + 8];
      System.arraycopy(bytes, 0, within, 5, bytes.length);
      assertThat(read(new ProtoReader(within, 5, 5 + bytes.length))).isEqualTo(expected.toString());
      assertThat(read(new ProtoReader(dribbled(bytes), MAX_BYTES))).isEqualTo(expected.toString());
    }
  }

  @Test
  void aMessageThatIsLeftEarlyIsPassedOver() throws Exception {
    byte[] inner = {NUMBER << 3, 7, TEXT << 3 | 2, 1, 'x'};
    byte[] bytes = {MESSAGE << 3 | 2, 5, 0, 0, 0, 0, 0, NUMBER << 3, 9};
    System.arraycopy(inner, 0, bytes, 2, inner.length);
    var reader = new ProtoReader(new ByteArrayInputStream(bytes), MAX_BYTES);
    assertThat(reader.next()).isTrue();
    long outer = reader.enter();
    assertThat(reader.next()).isTrue();
    reader.leave(outer);
    assertThat(reader.next()).isTrue();
    assertThat(reader.varint()).isEqualTo(9);
    assertThat(reader.next()).isFalse();
  }

  @Test
  void whatIsCutWithinAFieldOrDamagedIsRefusedAndNothingElseHappens() throws Exception {
    byte[] bytes = message(2, new StringBuilder()).toByteArray();
    int refused = 0;
    for (int length = 0; length < Math.min(bytes.length, 3000); length++) {
      refused += refused(new ProtoReader(bytes, 0, length));
      refused += refused(new ProtoReader(new ByteArrayInputStream(bytes, 0, length), MAX_BYTES));
    }
    for (int i = 0; i < 3000; i++) {
      byte[] other = Arrays.copyOf(bytes, Math.min(bytes.length, 500));
      other[random.nextInt(other.length)] = (byte) random.nextInt();
      refused += refused(new ProtoReader(dribbled(other), MAX_BYTES));
    }
    assertThat(refused).isPositive();
  }

  private static int refused(ProtoReader reader) throws IOException {
    try {
      read(reader);
      return 0;
    } catch (HttpError e) {
      assertThat(e.status()).isBetween(400, 413);
      assertThat(e).hasMessageContaining("protobuf");
      return 1;
    }
  }

  @Test
  void lengthsAndDepthsBeyondTheLimitsAreRefusedInWords() {
    byte[] huge = {TEXT << 3 | 2, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07, 'x'};
    assertThatThrownBy(() -> read(new ProtoReader(new ByteArrayInputStream(huge), MAX_BYTES)))
        .hasMessage("protobuf, field 4 at byte 5: expected at most 1048576 bytes, found 16777215");
    assertThatThrownBy(() -> read(new ProtoReader(huge, 0, huge.length)))
        .hasMessageContaining("expected a length within its message in field 4");
    UnknownFieldSet deep = UnknownFieldSet.getDefaultInstance();
    for (int i = 0; i <= 100; i++) {
      var field = UnknownFieldSet.Field.newBuilder().addLengthDelimited(deep.toByteString());
      deep = UnknownFieldSet.newBuilder().addField(MESSAGE, field.build()).build();
    }
    byte[] bytes = deep.toByteArray();
    assertThatThrownBy(() -> read(new ProtoReader(bytes, 0, bytes.length)))
        .hasMessageContaining("expected at most 100 messages in each other");
  }

  @Test
  void anotherTypeThanExpectedIsRefused() {
    byte[] bytes = {TEXT << 3, 1};
    assertThatThrownBy(() -> read(new ProtoReader(bytes, 0, bytes.length)))
        .hasMessage("protobuf, at byte 1: expected LENGTH in field 4, found VARINT");
    byte[] group = {TEXT << 3 | 3};
    assertThatThrownBy(() -> read(new ProtoReader(group, 0, group.length)))
        .hasMessageContaining("expected a field of type 0, 1, 2 or 5, found type 3");
  }
}
