/**
 * {@code cordwood segment}: what is in a segment file, and what of it is damaged. May know {@code
 * terminal}.
 */
@NullMarked
package io.cordwood.cli.segment;

import org.jspecify.annotations.NullMarked;
