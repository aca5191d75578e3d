/**
 * The question: a {@link io.cordwood.query.request.Query}, its limits, and which records it looks
 * at. The same on the node that is asked and on those that it asks.
 */
@NullMarked
package io.cordwood.query.request;

import org.jspecify.annotations.NullMarked;
