/**
 * The HTTP server, in HTTP/1.1 and HTTP/2 on one port: connections, routes, who may ask, streaming
 * bodies, errors.
 */
@NullMarked
package io.cordwood.common.http.server;

import org.jspecify.annotations.NullMarked;
