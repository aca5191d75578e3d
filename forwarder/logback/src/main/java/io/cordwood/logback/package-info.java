/** The Logback appender. */
@NullMarked
package io.cordwood.logback;

import org.jspecify.annotations.NullMarked;
