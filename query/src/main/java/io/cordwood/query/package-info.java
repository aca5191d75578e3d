/** Time-bounded grep over store segments: scan, merge by ULID, and its HTTP API. */
@NullMarked
package io.cordwood.query;

import org.jspecify.annotations.NullMarked;
