/** Microbenchmarks: one class a question, the answer in its class doc. */
@NullMarked
package io.cordwood.jmh;

import org.jspecify.annotations.NullMarked;
