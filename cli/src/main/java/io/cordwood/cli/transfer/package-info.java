/**
 * Export of records into files, and import of files. May know {@code client} and {@code files} and
 * what is below them.
 */
@NullMarked
package io.cordwood.cli.transfer;

import org.jspecify.annotations.NullMarked;
