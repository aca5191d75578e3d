/**
 * Records as they are printed: their form, what matches in them, times in a zone. May know {@code
 * terminal} and {@code question}.
 */
@NullMarked
package io.cordwood.cli.records;

import org.jspecify.annotations.NullMarked;
