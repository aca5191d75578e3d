/**
 * Keeps records until an ingest node has them: batches, connections, retries. JDK only.
 *
 * <pre>
 * ForwardStream ──► Forwarder ──► Window ◄── Sender ──► Connector, Connection ◄──► ingest node
 *   lines of a        cuts into     bounded     one         one socket, batches out,
 *   stream            records       memory      thread      acknowledgements in
 *   appenders ──► LoggingForwarder
 *     events as bytes
 * </pre>
 */
@NullMarked
package io.cordwood.forwarder;

import org.jspecify.annotations.NullMarked;
