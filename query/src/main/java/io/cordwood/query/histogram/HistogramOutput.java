package io.cordwood.query.histogram;

import io.cordwood.common.http.server.Response;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.http.JsonLines;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Writes a histogram: a line a bucket, the empty ones too, of its begin and a number for each
 * pattern; or JSON objects {@code time}, {@code count}, and with several patterns {@code counts}.
 */
final class HistogramOutput {
  private final boolean json;
  private final Response response;
  private int written;
  private int flushed;

  HistogramOutput(boolean json, Response response) {
    this.json = json;
    this.response = response;
  }

  /** To be called first: says which buckets come, and from when to when is counted. */
  void begin(Histogram histogram, UlidRange range) {
    Buckets buckets = histogram.buckets();
    response
        .header("cordwood-bucket-ms", Long.toString(buckets.widthMillis()))
        .header("cordwood-first-bucket-ms", Long.toString(buckets.firstMillis()))
        .header("cordwood-buckets", Integer.toString(buckets.count()))
        .header("cordwood-range", range.from().time() + "/" + range.to().time());
  }

  /** Writes those before a bucket that were not written yet; they must not change any more. */
  void writeBefore(int end, Histogram histogram) throws IOException {
    OutputStream out = response.body();
    for (; written < end; written++) {
      Instant begin = Instant.ofEpochMilli(histogram.buckets().beginMillis(written));
      if (json) {
        write(histogram, written, begin, out);
      } else {
        out.write(line(histogram, written, begin).getBytes(StandardCharsets.US_ASCII));
      }
    }
  }

  /** Sends what was written. */
  void flush() throws IOException {
    if (written > flushed) {
      flushed = written;
      response.body().flush();
    }
  }

  void writeAll(Histogram histogram) throws IOException {
    writeBefore(histogram.buckets().count(), histogram);
  }

  private static String line(Histogram histogram, int bucket, Instant begin) {
    var line = new StringBuilder(begin.toString());
    for (int pattern = 0; pattern < histogram.patterns(); pattern++) {
      line.append(' ').append(histogram.count(bucket, pattern));
    }
    return line.append('\n').toString();
  }

  private static void write(Histogram histogram, int bucket, Instant begin, OutputStream out)
      throws IOException {
    JsonLines.write(
        out,
        json -> {
          json.writeStringProperty("time", begin.toString());
          long sum = 0;
          for (int pattern = 0; pattern < histogram.patterns(); pattern++) {
            sum += histogram.count(bucket, pattern);
          }
          json.writeNumberProperty("count", sum);
          if (histogram.patterns() > 1) {
            json.writeArrayPropertyStart("counts");
            for (int pattern = 0; pattern < histogram.patterns(); pattern++) {
              json.writeNumber(histogram.count(bucket, pattern));
            }
            json.writeEndArray();
          }
        });
  }
}
