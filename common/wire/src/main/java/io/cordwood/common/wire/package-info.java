/**
 * The words between a sender and an ingest node: batches, the first line of a connection and the
 * lines of answers. Needs the JDK alone, of release 17 or newer, since it is also in the programs
 * that have an appender.
 */
@NullMarked
package io.cordwood.common.wire;

import org.jspecify.annotations.NullMarked;
