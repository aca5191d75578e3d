package io.cordwood.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.client.EventReader.Event;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Events are read whole, and what means nothing is passed over. */
final class EventReaderTest {
  private static String next(EventReader events) throws IOException {
    Optional<Event> next = events.next();
    return next.map(event -> event.id() + " " + new String(event.data(), StandardCharsets.UTF_8))
        .orElse("end");
  }

  @Test
  void eventsHaveAnIdOrNoneAndOneThatBreaksOffIsNone() throws IOException {
    String stream =
        ":\n\nid: 1\ndata: {\"é\":1}\n\n:\n\nevent: notice\ndata: {}\n\nid: 2\ndata: {\"lost\"";
    var events = new EventReader(new ByteArrayInputStream(stream.getBytes(StandardCharsets.UTF_8)));
    assertThat(events.isDrained()).isFalse();
    assertThat(next(events)).isEqualTo("1 {\"é\":1}");
    assertThat(next(events)).isEqualTo(" {}");
    assertThat(next(events)).isEqualTo("end");
    assertThat(events.isDrained()).isTrue();
  }
}
