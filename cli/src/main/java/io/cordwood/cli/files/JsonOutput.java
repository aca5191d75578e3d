package io.cordwood.cli.files;

import io.cordwood.cli.records.RecordPrinter;
import io.cordwood.common.json.Json;
import io.cordwood.query.match.SubMatches;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * An object a line: {@code file}, {@code line}, {@code record}; {@code record_base64} too if the
 * record is not UTF-8, as nodes have it; {@code context} where that is asked for.
 *
 * @param subMatches what of a record is given, each on a line; null: all of it
 */
record JsonOutput(
    String name, @Nullable SubMatches subMatches, boolean hasContext, RecordPrinter out)
    implements FileOutput {
  @Override
  public void match(long number, byte[] bytes, int from, int to) throws IOException {
    if (subMatches == null) {
      print(number, Arrays.copyOfRange(bytes, from, to), false);
      return;
    }
    int[] found = subMatches.in(bytes, from, to);
    var joined = new ByteArrayOutputStream();
    for (int i = 0; i < found.length; i += 2) {
      if (i > 0) {
        joined.write('\n');
      }
      joined.write(bytes, found[i], found[i + 1] - found[i]);
    }
    if (found.length > 0) {
      print(number, joined.toByteArray(), false);
    }
  }

  @Override
  public void context(long number, byte[] bytes, int from, int to) throws IOException {
    print(number, Arrays.copyOfRange(bytes, from, to), true);
  }

  @Override
  public void separator() {
    // The numbers of the lines tell.
  }

  private void print(long number, byte[] record, boolean context) throws IOException {
    var fields = new StringJoiner(",", "{", "}");
    fields.add("\"file\":" + Json.quoted(name)).add("\"line\":" + number);
    fields.add("\"record\":" + Json.quoted(new String(record, StandardCharsets.UTF_8)));
    if (!isUtf8(record)) {
      fields.add("\"record_base64\":\"" + Base64.getEncoder().encodeToString(record) + '"');
    }
    if (hasContext) {
      fields.add("\"context\":" + context);
    }
    out.message(fields.toString());
  }

  private static boolean isUtf8(byte[] record) {
    try {
      var _ = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(record));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
