/** Long-running parts as pairs of run and interrupt: the first to end stops all. */
@NullMarked
package io.cordwood.common.run;

import org.jspecify.annotations.NullMarked;
