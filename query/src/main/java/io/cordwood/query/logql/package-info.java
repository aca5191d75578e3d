/**
 * LogQL, as far as it is grep and counting: read, written again, and translated into {@code Query}.
 * May know {@code request} and what is below it; {@code loki} knows it.
 */
@NullMarked
package io.cordwood.query.logql;

import org.jspecify.annotations.NullMarked;
