package io.cordwood.query.scan;

import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Segment;

/** A block of a segment. */
record BlockRef(Segment segment, BlockInfo info) {}
