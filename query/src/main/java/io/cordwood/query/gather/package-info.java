/**
 * One answer of what all nodes hold: asks them, merges what they say with what this one finds, each
 * record once, and judges whether all is there. May know {@code scan} and {@code wire}.
 */
@NullMarked
package io.cordwood.query.gather;

import org.jspecify.annotations.NullMarked;
