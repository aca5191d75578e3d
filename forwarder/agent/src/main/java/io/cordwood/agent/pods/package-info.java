/**
 * Knows the pods of a Kubernetes node for {@code cordwood forward --kubernetes}: their labels,
 * owners and settings, as the API server lists and watches them. It only reads. Knows no other
 * package of the program.
 */
@NullMarked
package io.cordwood.agent.pods;

import org.jspecify.annotations.NullMarked;
