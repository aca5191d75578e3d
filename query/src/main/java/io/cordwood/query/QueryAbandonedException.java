package io.cordwood.query;

import java.io.IOException;

/** Nobody wants a query's answer any more. */
final class QueryAbandonedException extends IOException {}
