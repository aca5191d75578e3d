package io.cordwood.query.result;

import java.io.IOException;

/** Nobody wants a query's answer any more. */
public final class QueryAbandonedException extends IOException {}
