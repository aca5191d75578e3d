/**
 * Known to both ends of a call: paths, parameters, headers, sizes of frames. Only this package and
 * those in it touch Netty's HTTP and HTTP clients.
 */
@NullMarked
package io.cordwood.common.http;

import org.jspecify.annotations.NullMarked;
