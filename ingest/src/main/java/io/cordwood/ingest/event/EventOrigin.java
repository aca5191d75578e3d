package io.cordwood.ingest.event;

import io.cordwood.common.wire.Origin;
import java.util.Map;

/**
 * The sender of an event.
 *
 * @param origin the topic and the labels of its batch
 * @param rest what describes the sender and cannot be a label; it stands beside each event
 */
public record EventOrigin(Origin origin, Map<String, String> rest) {}
