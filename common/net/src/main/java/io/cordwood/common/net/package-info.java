/** Addresses, and where Netty's event loops come from: one transport for every server of a node. */
@NullMarked
package io.cordwood.common.net;

import org.jspecify.annotations.NullMarked;
