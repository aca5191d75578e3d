/** Who is there, in which role and how loaded: gossip membership over an own wire codec. */
@NullMarked
package io.cordwood.common.cluster;

import org.jspecify.annotations.NullMarked;
