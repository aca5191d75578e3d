/**
 * Asks nodes: one after the other until one answers, on and on for a tail, with a line of progress
 * meanwhile. May know {@code records} and what is below it.
 */
@NullMarked
package io.cordwood.cli.client;

import org.jspecify.annotations.NullMarked;
