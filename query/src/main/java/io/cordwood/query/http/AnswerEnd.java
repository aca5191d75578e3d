package io.cordwood.query.http;

import io.cordwood.query.gather.Verdict;
import java.util.Optional;

/** The data after the records of an answer. */
public record AnswerEnd(Verdict verdict, long matches, Optional<ReadPositions> positions) {}
