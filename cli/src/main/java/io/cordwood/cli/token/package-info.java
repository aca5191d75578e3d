/** {@code cordwood token}: the file of tokens that nodes read. May know {@code program}. */
@NullMarked
package io.cordwood.cli.token;

import org.jspecify.annotations.NullMarked;
