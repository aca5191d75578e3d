/** A load of senders that wait for acknowledgements, and what the disk alone can do. */
@NullMarked
package io.cordwood.jmh.load;

import org.jspecify.annotations.NullMarked;
