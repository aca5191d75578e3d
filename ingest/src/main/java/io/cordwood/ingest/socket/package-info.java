/** Ports of protocols other than Cordwood's own and HTTP. */
@NullMarked
package io.cordwood.ingest.socket;

import org.jspecify.annotations.NullMarked;
