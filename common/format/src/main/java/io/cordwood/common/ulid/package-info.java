/** Identity and order of records: the ULID, ranges of ULIDs, and the clock that stamps batches. */
@NullMarked
package io.cordwood.common.ulid;

import org.jspecify.annotations.NullMarked;
