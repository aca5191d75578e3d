/**
 * The read side of Loki's API, for Grafana and logcli: questions in {@code logql}, answers in
 * Loki's JSON. May know {@code histogram} and {@code logql}, and what is below them; nobody but
 * {@code api} knows it.
 */
@NullMarked
package io.cordwood.query.loki;

import org.jspecify.annotations.NullMarked;
