/**
 * The place of the Logback appender, which is not written yet: there is no class here. It will lay
 * an event out as bytes and hand them to {@code io.cordwood.forwarder.Forwarder}, which does the
 * rest; until then, write to standard output and pipe it to {@code cordwood forward}.
 */
@NullMarked
package io.cordwood.logback;

import org.jspecify.annotations.NullMarked;
