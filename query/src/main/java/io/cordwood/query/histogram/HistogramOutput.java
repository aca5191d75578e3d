package io.cordwood.query.histogram;

import io.cordwood.common.http.server.Response;
import io.cordwood.common.text.Csv;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.http.AnswerKind;
import io.cordwood.query.http.JsonLines;
import io.cordwood.query.http.TableNumbers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/**
 * Writes a histogram: a line a bucket, the empty ones too, of its begin and a number for each
 * pattern; or JSON objects {@code time}, {@code count}, and with several patterns {@code counts}.
 */
final class HistogramOutput {
  private final AnswerKind kind;
  private final boolean isRate;
  private final Response response;
  private int written;
  private int flushed;

  /**
   * @param isRate whether numbers are per second
   */
  HistogramOutput(AnswerKind kind, boolean isRate, Response response) {
    this.kind = kind;
    this.isRate = isRate;
    this.response = response;
  }

  /** To be called first: says which buckets come, and from when to when is counted. */
  void begin(Buckets buckets, UlidRange range) {
    response
        .header("cordwood-bucket-ms", Long.toString(buckets.widthMillis()))
        .header("cordwood-first-bucket-ms", Long.toString(buckets.firstMillis()))
        .header("cordwood-buckets", Integer.toString(buckets.count()))
        .header("cordwood-range", range.from().time() + "/" + range.to().time());
  }

  /** Writes the names of the numbers, where these have some. */
  void names(List<String> names) throws IOException {
    if (kind == AnswerKind.CSV) {
      line(Csv.line(Stream.concat(Stream.of("time"), names.stream()).toList()));
    }
  }

  /** Writes those before a bucket that were not written yet; they must not change any more. */
  void writeBefore(int end, Histogram histogram) throws IOException {
    for (; written < end; written++) {
      double[] counts = new double[histogram.patterns()];
      for (int pattern = 0; pattern < counts.length; pattern++) {
        counts[pattern] = number(histogram.count(written, pattern), histogram.buckets());
      }
      String begin = Instant.ofEpochMilli(histogram.buckets().beginMillis(written)).toString();
      if (kind == AnswerKind.JSON) {
        write(begin, counts, response.body());
      } else {
        List<String> columns = new ArrayList<>(List.of(begin));
        Arrays.stream(counts).forEach(count -> columns.add(shown(count)));
        line(kind == AnswerKind.CSV ? Csv.line(columns) : String.join(" ", columns) + "\n");
      }
    }
  }

  private double number(long count, Buckets buckets) {
    return isRate ? count * 1000.0 / buckets.widthMillis() : count;
  }

  private static String shown(double number) {
    return String.valueOf(TableNumbers.rounded(number));
  }

  private void line(String line) throws IOException {
    response.body().write(line.getBytes(StandardCharsets.UTF_8));
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

  private static void write(String begin, double[] counts, OutputStream out) throws IOException {
    JsonLines.write(
        out,
        json -> {
          json.writeStringProperty("time", begin);
          json.writeName("count");
          write(Arrays.stream(counts).sum(), json);
          if (counts.length > 1) {
            json.writeArrayPropertyStart("counts");
            Arrays.stream(counts).forEach(count -> write(count, json));
            json.writeEndArray();
          }
        });
  }

  private static void write(double number, JsonGenerator json) {
    if (TableNumbers.rounded(number) instanceof Long whole) {
      json.writeNumber(whole);
    } else {
      json.writeNumber(number);
    }
  }

  /** Writes a histogram of values, each with a column of its own, most records first. */
  void write(SplitHistogram split) throws IOException {
    List<SplitHistogram.Series> all = split.series();
    if (kind != AnswerKind.JSON) {
      List<String> names = all.stream().map(SplitHistogram.Series::shown).toList();
      List<String> heads = Stream.concat(Stream.of("time"), names.stream()).toList();
      line(columns(heads));
    }
    for (int bucket = 0; bucket < split.buckets().count(); bucket++) {
      String begin = Instant.ofEpochMilli(split.buckets().beginMillis(bucket)).toString();
      if (kind == AnswerKind.JSON) {
        write(begin, all, bucket, split.buckets());
      } else {
        List<String> columns = new ArrayList<>(List.of(begin));
        for (SplitHistogram.Series each : all) {
          columns.add(shown(number(each.count(bucket), split.buckets())));
        }
        line(columns(columns));
      }
    }
  }

  private String columns(List<String> columns) {
    return kind == AnswerKind.CSV
        ? Csv.line(columns)
        : String.join("\t", columns.stream().map(HistogramOutput::escaped).toList()) + "\n";
  }

  private static String escaped(String value) {
    return value
        .replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  private void write(String begin, List<SplitHistogram.Series> all, int bucket, Buckets buckets)
      throws IOException {
    JsonLines.write(
        response.body(),
        json -> {
          json.writeStringProperty("time", begin);
          json.writeName("count");
          write(number(all.stream().mapToLong(s -> s.count(bucket)).sum(), buckets), json);
          json.writeObjectPropertyStart("by");
          for (SplitHistogram.Series each : all) {
            if (!each.isRest() && each.count(bucket) > 0) {
              json.writeName(each.shown());
              write(number(each.count(bucket), buckets), json);
            }
          }
          json.writeEndObject();
        });
  }
}
