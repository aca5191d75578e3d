/** Reads JSON that senders made for other servers send, as it streams in, within limits. */
@NullMarked
package io.cordwood.ingest.json;

import org.jspecify.annotations.NullMarked;
