/**
 * The Log4j 2 appender: lays events out as bytes and hands them to a {@link
 * io.cordwood.forwarder.LoggingForwarder}, which does the rest.
 */
@NullMarked
package io.cordwood.log4j2;

import org.jspecify.annotations.NullMarked;
