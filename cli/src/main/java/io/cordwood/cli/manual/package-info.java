/**
 * Output generated from the commands' flags: pages for man, completion for shells. May know {@code
 * program}.
 */
@NullMarked
package io.cordwood.cli.manual;

import org.jspecify.annotations.NullMarked;
