/**
 * {@code cordwood forward}: sends the lines of its standard input, or of files that it follows, to
 * ingest nodes. May know {@code follow}, {@code terminal} and {@code program}.
 */
@NullMarked
package io.cordwood.agent;

import org.jspecify.annotations.NullMarked;
