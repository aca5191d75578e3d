package io.cordwood.query.gather;

import io.cordwood.common.http.KnownParts;
import io.cordwood.query.request.Query;
import java.util.Optional;

/**
 * A query, as the nodes of a cluster are asked it.
 *
 * @param progress whether the nodes are to say how far they have come
 * @param known the nodes that they need not name
 * @param deletions the sum of what this node knows to be deleted
 */
record Question(Query query, boolean progress, Optional<KnownParts> known, String deletions) {}
