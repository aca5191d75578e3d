/**
 * The only package that touches Netty's HTTP and the HTTP clients: routes, streaming bodies,
 * errors.
 */
@NullMarked
package io.cordwood.common.http;

import org.jspecify.annotations.NullMarked;
