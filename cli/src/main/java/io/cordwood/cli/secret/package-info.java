/** {@code cordwood secrets}: tokens and certificates as secrets of a Kubernetes namespace. */
@NullMarked
package io.cordwood.cli.secret;

import org.jspecify.annotations.NullMarked;
