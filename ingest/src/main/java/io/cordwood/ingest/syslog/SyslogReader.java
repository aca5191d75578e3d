package io.cordwood.ingest.syslog;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.EventOrigin;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.message.MessageReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes a record of each message: the whole of it, byte for byte. Its labels are {@code host} and
 * {@code app}, as far as its header says them. What the header says besides changes with each
 * process or message, and can be searched in the text.
 */
final class SyslogReader implements MessageReader {
  private final EventOrigins origins;
  private final SyslogHeader header;
  private byte[] lastHost = {};
  private byte[] lastApp = {};
  private EventOrigin origin;
  private EventTime time = EventTime.NONE;

  SyslogReader(EventOrigins origins, SyslogTime times) {
    this.origins = origins;
    this.header = new SyslogHeader(times);
    this.origin = origins.of(Map.of());
  }

  @Override
  public void read(byte[] bytes, int from, int to, boolean continued, Events events)
      throws RefusedException {
    if (!continued) {
      header.read(bytes, from, to);
      time = header.time();
      takeOrigin(bytes);
    }
    events.addWhole(origin, time, bytes, from, to, to - from);
  }

  private void takeOrigin(byte[] bytes) {
    int hostFrom = header.hostFrom();
    int hostTo = header.hostTo();
    int appFrom = header.appFrom();
    int appTo = header.appTo();
    boolean isSame =
        Arrays.equals(lastHost, 0, lastHost.length, bytes, hostFrom, hostTo)
            && Arrays.equals(lastApp, 0, lastApp.length, bytes, appFrom, appTo);
    if (isSame) {
      return;
    }
    lastHost = Arrays.copyOfRange(bytes, hostFrom, hostTo);
    lastApp = Arrays.copyOfRange(bytes, appFrom, appTo);
    var pairs = new LinkedHashMap<String, String>();
    put(pairs, "host", lastHost);
    put(pairs, "app", lastApp);
    origin = origins.of(pairs);
  }

  private static void put(Map<String, String> pairs, String name, byte[] value) {
    if (value.length > 0) {
      pairs.put(name, new String(value, StandardCharsets.US_ASCII));
    }
  }
}
