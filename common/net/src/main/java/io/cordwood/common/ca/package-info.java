/** A certificate authority of one's own, for the nodes of a cluster and those who ask them. */
@NullMarked
package io.cordwood.common.ca;

import org.jspecify.annotations.NullMarked;
