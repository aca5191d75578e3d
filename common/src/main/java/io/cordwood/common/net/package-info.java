/** Where Netty's event loops come from: one choice of transport for every server of a node. */
@NullMarked
package io.cordwood.common.net;

import org.jspecify.annotations.NullMarked;
