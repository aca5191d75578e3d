package io.cordwood.ingest.bulk;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.util.TreeMap;

/** The topic and the labels of records over HTTP: parameters of their request. */
public final class RequestOrigin {
  private RequestOrigin() {}

  /**
   * Reads the parameters.
   *
   * @param usual the topic if they name none
   * @throws IllegalArgumentException naming the parameter that is not as it must be
   */
  public static Origin of(Request request, Topic usual) {
    return new Origin(topic(request, usual).name(), labels(request));
  }

  private static Topic topic(Request request, Topic usual) {
    try {
      return request.param(ApiParams.TOPIC).map(Topic::new).orElse(usual);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("parameter topic: " + e.getMessage(), e);
    }
  }

  private static Labels labels(Request request) {
    var pairs = new TreeMap<String, String>();
    try {
      request
          .paramsThatBegin(ApiParams.LABEL_PREFIX)
          .forEach((name, all) -> all.forEach(value -> Labels.add(pairs, name, value)));
      return Labels.of(pairs);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("parameters label.NAME: " + e.getMessage(), e);
    }
  }
}
