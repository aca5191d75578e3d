package io.cordwood.common.segment;

import java.util.List;

/**
 * A clause that holds for a record which contains one of the literals, ASCII letters in either
 * case.
 */
public record AnyOf(List<byte[]> literals) {}
