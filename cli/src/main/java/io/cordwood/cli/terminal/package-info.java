/**
 * Standard output as a terminal or a pipe takes it: safe, in colour, through a pager, and without a
 * word when its reader leaves. May know {@code program}.
 */
@NullMarked
package io.cordwood.cli.terminal;

import org.jspecify.annotations.NullMarked;
