/**
 * Those who ask an HTTP server: nodes, over connections that all their calls share, and commands.
 */
@NullMarked
package io.cordwood.common.http.client;

import org.jspecify.annotations.NullMarked;
