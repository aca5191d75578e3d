package io.cordwood.query;

import java.util.Optional;

/** What comes behind the records of an answer. */
record AnswerEnd(Verdict verdict, long matches, Optional<ReadPositions> positions) {}
