/**
 * {@code cordwood watch}: reads rules from flags or a file, and has {@code alert} watch the records
 * of a node by them. May know all other packages but those of commands.
 */
@NullMarked
package io.cordwood.cli.watch;

import org.jspecify.annotations.NullMarked;
