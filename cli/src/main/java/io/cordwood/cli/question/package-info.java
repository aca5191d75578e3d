/** A question: as flags say it, and as the query that a node is asked. May know {@code program}. */
@NullMarked
package io.cordwood.cli.question;

import org.jspecify.annotations.NullMarked;
