/** {@code cordwood testsvc}: lines as a service might log them. May know {@code terminal}. */
@NullMarked
package io.cordwood.cli.testsvc;

import org.jspecify.annotations.NullMarked;
