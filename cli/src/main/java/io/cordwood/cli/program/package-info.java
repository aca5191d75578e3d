/**
 * How every program reads its command line and the environment, says what is wrong in one line, and
 * ends with an exit code; the usual command lines without picocli. Knows no other package.
 */
@NullMarked
package io.cordwood.cli.program;

import org.jspecify.annotations.NullMarked;
