/** Texts in other encodings than UTF-8, in files and streams. Knows no other package. */
@NullMarked
package io.cordwood.cli.encoding;

import org.jspecify.annotations.NullMarked;
