/**
 * Reads the encoding of protocol buffers without classes made for it: a switch on the numbers of
 * fields in each protocol's own reader.
 */
@NullMarked
package io.cordwood.ingest.protobuf;

import org.jspecify.annotations.NullMarked;
