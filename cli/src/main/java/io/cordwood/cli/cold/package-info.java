/**
 * {@code cordwood cold}: logs that are kept in a bucket. May know {@code program}, {@code terminal}
 * and {@code question}.
 */
@NullMarked
package io.cordwood.cli.cold;

import org.jspecify.annotations.NullMarked;
