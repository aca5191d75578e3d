/** Cluster membership by gossip, with each node's roles and load, over a wire codec of its own. */
@NullMarked
package io.cordwood.common.cluster;

import org.jspecify.annotations.NullMarked;
