package io.cordwood.common.bucket;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.http.client.ForeignClient;
import io.cordwood.common.http.client.ForeignClient.Answer;
import io.cordwood.common.http.client.ForeignClient.Body;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Requests to S3: signs each when it is sent, and repeats what may pass. A clock that is off is
 * corrected by what the service says the time is. Safe for all threads.
 */
final class S3Calls implements AutoCloseable {
  static final Duration USUAL_WAIT = Duration.ofMillis(100);

  /** The waits between them are twice as long each time: 1.5 s in all. */
  private static final int ATTEMPTS = 5;

  private static final int MOST_BYTES = 16 << 20;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration PUT_TIMEOUT = Duration.ofMinutes(10);
  private static final int NOT_FOUND = 404;
  private static final int NO_SUCH_RANGE = 416;
  private static final Set<Integer> PASSING = Set.of(408, 429, 500, 502, 503, 504);
  private static final Set<String> EXPIRED = Set.of("ExpiredToken", "TokenRefreshRequired");

  private final S3Place place;
  private final AccessKeys keys;
  private final ForeignClient client;
  private final Duration wait;
  private final BucketRequests requests = new BucketRequests();
  private volatile Duration clockOffset = Duration.ZERO;

  /**
   * @param wait after the first attempt that fails
   */
  S3Calls(S3Place place, AccessKeys keys, ForeignClient client, Duration wait) {
    this.place = place;
    this.keys = keys;
    this.client = client;
    this.wait = wait;
  }

  /**
   * A request before it is signed.
   *
   * @param path encoded
   * @param query not encoded
   * @param headers by names in small letters
   * @param sha256 of the body
   */
  record Call(
      Verb verb,
      String path,
      SortedMap<String, String> query,
      SortedMap<String, String> headers,
      Body body,
      String sha256) {
    private static final String OF_NOTHING = ObjectContent.of(new byte[0]).sha256Hex();

    static Call of(Verb verb, String path, Map<String, String> query, Map<String, String> headers) {
      return new Call(
          verb, path, new TreeMap<>(query), new TreeMap<>(headers), Body.NONE, OF_NOTHING);
    }

    private String method() {
      return verb == Verb.LIST ? "GET" : verb.name();
    }
  }

  /** Takes an answer of status 2xx, 404 or 416. */
  interface Reader<T> {
    /**
     * Reads it.
     *
     * @throws BucketException if that is what it says
     * @throws IOException if it is not what it should be; the request is repeated then
     */
    T read(Answer answer) throws IOException;
  }

  /** Something failed; the request may be sent again. */
  private record Failure(Kind kind, String why, Optional<Exception> cause) {}

  /** Sends a request until its answer can be read, or until it is enough. */
  <T> T ask(Call call, Reader<T> reader) throws IOException {
    boolean clockTold = false;
    boolean renewed = false;
    Failure failure = new Failure(Kind.UNREACHABLE, "not asked", Optional.empty());
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      pause(attempt);
      Answer answer;
      try {
        answer = send(call);
      } catch (BucketException | InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        requests.failed();
        failure = new Failure(Kind.UNREACHABLE, String.valueOf(e.getMessage()), Optional.of(e));
        continue;
      }
      if (isRead(answer)) {
        try {
          return reader.read(answer);
        } catch (BucketException e) {
          requests.failed();
          throw e;
        } catch (IOException e) {
          requests.failed();
          failure = new Failure(Kind.UNEXPECTED, String.valueOf(e.getMessage()), Optional.of(e));
          continue;
        }
      }
      requests.failed();
      S3Xml.Fault fault = S3Xml.fault(answer.body());
      if (fault.code().equals("RequestTimeTooSkewed") && !clockTold) {
        clockTold = true;
        learnTime(answer, fault);
      } else if (EXPIRED.contains(fault.code()) && !renewed) {
        renewed = true;
        keys.renew();
      } else if (!PASSING.contains(answer.status()) && !fault.code().equals("RequestTimeout")) {
        throw refused(answer, fault);
      }
      failure = new Failure(kind(answer, fault), said(answer, fault), Optional.empty());
    }
    throw exception(failure);
  }

  private static boolean isRead(Answer answer) {
    return answer.status() / 100 == 2
        || answer.status() == NO_SUCH_RANGE
        || (answer.status() == NOT_FOUND && !isBucketMissing(answer));
  }

  private static boolean isBucketMissing(Answer answer) {
    return S3Xml.fault(answer.body()).code().equals("NoSuchBucket");
  }

  private Answer send(Call call) throws IOException {
    TreeMap<String, String> headers = new TreeMap<>(call.headers);
    headers.put("host", place.authority());
    var request = new Signature.Request(call.method(), call.path, call.query, headers, call.sha256);
    Instant time = Instant.now().plus(clockOffset);
    var signed = Signature.sign(request, keys.current(), place.region(), time);
    signed.remove("host");
    String query = request.queryText();
    URI uri =
        URI.create(
            place.scheme()
                + "://"
                + place.authority()
                + call.path
                + (query.isEmpty() ? "" : "?" + query));
    requests.made(call.verb);
    Answer answer =
        client.send(
            new ForeignClient.Call(call.method(), uri, signed, call.body),
            MOST_BYTES,
            call.verb == Verb.PUT ? PUT_TIMEOUT : TIMEOUT);
    requests.received(answer.body().length);
    return answer;
  }

  /** The service's clock counts: signatures are good for 15 minutes around it. */
  private void learnTime(Answer answer, S3Xml.Fault fault) {
    try {
      Instant theirs =
          fault.serverTime().isEmpty()
              ? DateTimeFormatter.RFC_1123_DATE_TIME.parse(
                  answer.header("date").orElse(""), Instant::from)
              : Instant.parse(fault.serverTime());
      clockOffset = Duration.between(Instant.now(), theirs);
    } catch (DateTimeException e) {
      // Without a time that can be read, the refusal stands.
    }
  }

  private void pause(int attempt) throws IOException {
    if (attempt == 0) {
      return;
    }
    long millis = wait.toMillis() << (attempt - 1);
    try {
      Thread.sleep(millis / 2 + ThreadLocalRandom.current().nextLong(millis + 1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before a request is repeated");
    }
  }

  private BucketException refused(Answer answer, S3Xml.Fault fault) {
    return exception(new Failure(kind(answer, fault), said(answer, fault), Optional.empty()));
  }

  private BucketException exception(Failure failure) {
    String message = place + ": " + failure.why;
    return failure.cause.isPresent()
        ? new BucketException(failure.kind, message, failure.cause.get())
        : new BucketException(failure.kind, message);
  }

  private static Kind kind(Answer answer, S3Xml.Fault fault) {
    if (EXPIRED.contains(fault.code())) {
      return Kind.EXPIRED;
    }
    if (fault.code().equals("InvalidObjectState")) {
      return Kind.ARCHIVED;
    }
    if (PASSING.contains(answer.status())) {
      return Kind.UNREACHABLE;
    }
    return switch (answer.status()) {
      case 401, 403 -> Kind.DENIED;
      case 507 -> Kind.FULL;
      default -> Kind.UNEXPECTED;
    };
  }

  private String said(Answer answer, S3Xml.Fault fault) {
    var text = new StringBuilder("the service answers ").append(answer.status());
    if (!fault.code().isEmpty()) {
      text.append(' ').append(fault.code());
    }
    if (!fault.message().isEmpty()) {
      text.append(": ").append(fault.message());
    }
    if (EXPIRED.contains(fault.code())) {
      text.append("; the credentials have expired");
    }
    answer
        .header("x-amz-bucket-region")
        .filter(region -> !region.equals(place.region()))
        .ifPresent(region -> text.append("; the bucket is in region ").append(region));
    return text.toString();
  }

  BucketRequests requests() {
    return requests;
  }

  @Override
  public void close() {
    client.close();
  }
}
