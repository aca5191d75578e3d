/** TLS: the certificates of a node, its ports, and its connections to others. */
@NullMarked
package io.cordwood.common.tls;

import org.jspecify.annotations.NullMarked;
