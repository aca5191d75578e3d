/**
 * How every program reads its command line, the environment and a file of settings, says what is
 * wrong in one line, and ends with an exit code. Knows no other package.
 *
 * <pre>
 *   Command ──► FlagList ──► picocli's model ──┬──► help, completion, manual
 *                                              └──► Programs ◄── Settings ◄── Environment, ConfigFile
 * </pre>
 */
@NullMarked
package io.cordwood.cli.program;

import org.jspecify.annotations.NullMarked;
