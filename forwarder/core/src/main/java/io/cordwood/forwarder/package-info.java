/** What keeps lines until an ingest node has them: batches, connections, retries. JDK only. */
@NullMarked
package io.cordwood.forwarder;

import org.jspecify.annotations.NullMarked;
