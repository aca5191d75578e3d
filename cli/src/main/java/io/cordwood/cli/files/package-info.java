/**
 * Searches files, as grep does: lines, packed lines, and the records of segments. May know {@code
 * records} and {@code segment}.
 */
@NullMarked
package io.cordwood.cli.files;

import org.jspecify.annotations.NullMarked;
