/**
 * {@code cordwood forward}: sends the lines of its standard input to ingest nodes. May know {@code
 * program}.
 */
@NullMarked
package io.cordwood.dist.forward;

import org.jspecify.annotations.NullMarked;
