package io.cordwood.ingest.fluent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.StoredEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.msgpack.value.Value;
import org.msgpack.value.ValueFactory;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Any value of MessagePack can be built again from its JSON, but for binary that is UTF-8. */
class PackedJsonTest extends ForwardFixture {
  private static final int VALUES = 3000;
  private final Random random = new Random(11);

  @Test
  void anyRecordCanBeBuiltAgain() throws Exception {
    List<Value> sent = new ArrayList<>();
    byte[] entries =
        packed(packer -> {
          for (int i = 0; i < VALUES; i++) {
            Value record =
                ValueFactory.newMap(
                    ValueFactory.newString("n"),
                    ValueFactory.newInteger(i),
                    ValueFactory.newString("v"),
                    value(0));
            sent.add(record);
            packer.packArrayHeader(2).packInt(1_795_000_000).packValue(record);
          }
        });
    byte[] message =
        packed(packer ->
            packer
                .packArrayHeader(2)
                .packString("t")
                .packBinaryHeader(entries.length)
                .addPayload(entries));
    assertThat(send(message)).isEmpty();
    List<StoredEvent> events = StoredEvent.of(node, VALUES);
    for (int i = 0; i < VALUES; i++) {
      assertThat(read(events.get(i).text())).isEqualTo(sent.get(i));
    }
  }

  private Value value(int depth) throws IOException {
    return switch (random.nextInt(depth > 4 ? 8 : 11)) {
      case 0 -> ValueFactory.newNil();
      case 1 -> ValueFactory.newBoolean(random.nextBoolean());
      case 2 -> ValueFactory.newInteger(random.nextLong() >> random.nextInt(64));
      case 3 -> ValueFactory.newFloat(random.nextBoolean() ? random.nextGaussian() : 1 / 0.0);
      case 4 -> ValueFactory.newFloat((float) random.nextInt(100) / 4);
      case 5, 6 -> ValueFactory.newString(text());
      case 7 -> bytes();
      case 8 -> ValueFactory.newArray(value(depth + 1), value(depth + 1));
      case 9 -> ValueFactory.newMap(ValueFactory.newString("$" + text()), value(depth + 1));
      default ->
          ValueFactory.newMap(
              key(depth), value(depth + 1), ValueFactory.newInteger(7), value(depth + 1));
    };
  }

  private Value key(int depth) throws IOException {
    return random.nextBoolean() ? ValueFactory.newString("k" + text()) : value(depth + 1);
  }

  private Value bytes() {
    byte[] bytes = {(byte) 0xff, (byte) random.nextInt(), (byte) random.nextInt()};
    return random.nextBoolean()
        ? ValueFactory.newBinary(bytes)
        : ValueFactory.newExtension((byte) random.nextInt(), bytes);
  }

  private String text() {
    String[] parts = {"  {", "}", "\"", "\\", "\n", "\0", "a", "é", "\ud83d\ude00", "base64"};
    return parts[random.nextInt(parts.length)] + parts[random.nextInt(parts.length)];
  }

  /** By docs/format/foreign.md. */
  private static Value read(String json) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
      parser.nextToken();
      return read(parser);
    }
  }

  private static Value read(JsonParser in) {
    return switch (in.currentToken()) {
      case VALUE_NULL -> ValueFactory.newNil();
      case VALUE_TRUE -> ValueFactory.newBoolean(true);
      case VALUE_FALSE -> ValueFactory.newBoolean(false);
      case VALUE_NUMBER_INT -> ValueFactory.newInteger(in.getBigIntegerValue());
      case VALUE_NUMBER_FLOAT -> ValueFactory.newFloat(in.getDoubleValue());
      case VALUE_STRING -> ValueFactory.newString(in.getString());
      case START_ARRAY -> {
        List<Value> all = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
          all.add(read(in));
        }
        yield ValueFactory.newArray(all);
      }
      default -> object(in);
    };
  }

  private static Value object(JsonParser in) {
    var map = ValueFactory.newMapBuilder();
    String special = "";
    Value last = ValueFactory.newNil();
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      special = in.currentName();
      in.nextToken();
      last = read(in);
      map.put(ValueFactory.newString(special), last);
    }
    Base64.Decoder base64 = Base64.getDecoder();
    return switch (special) {
      case "$base64" -> ValueFactory.newBinary(base64.decode(last.asStringValue().asString()));
      case "$float" -> ValueFactory.newFloat(Double.parseDouble(last.asStringValue().asString()));
      case "$ext" ->
          ValueFactory.newExtension(
              last.asArrayValue().get(0).asIntegerValue().toByte(),
              base64.decode(last.asArrayValue().get(1).asStringValue().asString()));
      case "$map" -> {
        for (Value pair : last.asArrayValue()) {
          map.put(pair.asArrayValue().get(0), pair.asArrayValue().get(1));
        }
        yield without(map.build(), "$map");
      }
      default -> map.build();
    };
  }

  private static Value without(Value map, String key) {
    var rest = ValueFactory.newMapBuilder();
    map.asMapValue().entrySet().stream()
        .filter(pair -> !pair.getKey().equals(ValueFactory.newString(key)))
        .forEach(pair -> rest.put(pair.getKey(), pair.getValue()));
    return rest.build();
  }

  @Test
  void whatIsCutOrTooDeepIsRefused() throws Exception {
    byte[] value = packed(packer -> packer.packValue(value(0)).packString("end"));
    for (int end = 0; end < value.length; end++) {
      var in = new Packed().over(value, 0, end);
      assertThatThrownBy(
              () -> {
                in.skip();
                in.skip();
              })
          .isInstanceOf(RefusedException.class);
    }
  }
}
