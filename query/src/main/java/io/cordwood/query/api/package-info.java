/**
 * The endpoints, and how all parts of a query are put together: {@link QueryApi} is what a node
 * starts. Records with their context are written here. May know all; nobody here knows it.
 */
@NullMarked
package io.cordwood.query.api;

import org.jspecify.annotations.NullMarked;
