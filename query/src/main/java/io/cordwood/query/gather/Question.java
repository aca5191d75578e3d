package io.cordwood.query.gather;

import io.cordwood.query.request.Query;

/**
 * A query, as the nodes of a cluster are asked it.
 *
 * @param progress whether the nodes are to say how far they have come
 */
record Question(Query query, boolean progress) {}
