/**
 * How a process runs: its parts as pairs of run and interrupt, of which the first to end stops all;
 * and what bounds its log, its speed and its memory.
 */
@NullMarked
package io.cordwood.common.run;

import org.jspecify.annotations.NullMarked;
