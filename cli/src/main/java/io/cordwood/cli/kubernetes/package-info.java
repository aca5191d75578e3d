/** Kubernetes' API server, for commands that run in a pod. */
@NullMarked
package io.cordwood.cli.kubernetes;

import org.jspecify.annotations.NullMarked;
