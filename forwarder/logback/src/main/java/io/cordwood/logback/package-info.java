/**
 * The Logback appender: encodes events as bytes and hands them to a {@link
 * io.cordwood.forwarder.LoggingForwarder}, which does the rest.
 */
@NullMarked
package io.cordwood.logback;

import org.jspecify.annotations.NullMarked;
