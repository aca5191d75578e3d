package io.cordwood.query;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Each record as it was received, ended by LF; if asked for, its ULID and a space before it. */
record TextFormat(boolean needsUlids) implements RecordFormat {
  @Override
  public String contentType() {
    return "text/plain; charset=utf-8";
  }

  @Override
  public void write(BlockHits hits, BlockHits.Group group, OutputStream out) throws IOException {
    if (!needsUlids) {
      hits.write(group.from(), group.to(), out);
      return;
    }
    for (int hit = group.from(); hit < group.to(); hit++) {
      out.write(hits.ulid(group, hit).toString().getBytes(StandardCharsets.US_ASCII));
      out.write(' ');
      hits.write(hit, hit + 1, out);
    }
  }
}
