/** Nodes wired from their parts, and one command for each role. */
@NullMarked
package io.cordwood.dist;

import org.jspecify.annotations.NullMarked;
