/**
 * Shared by all endpoints: parameters as they are read, records and verdicts as they are written,
 * and the gate that bounds how many queries run. May know {@code gather} and what is below it.
 */
@NullMarked
package io.cordwood.query.http;

import org.jspecify.annotations.NullMarked;
