/** The Log4j 2 appender. */
@NullMarked
package io.cordwood.log4j2;

import org.jspecify.annotations.NullMarked;
