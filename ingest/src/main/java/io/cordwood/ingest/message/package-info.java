/**
 * Messages over sockets whose senders are answered nothing: they are gathered for a moment, and
 * stored together.
 *
 * <pre>
 *   SocketListener ───► MessageConnections ──► Framing ──┐
 *                       one thread a connection          ├──► GatheredMessages ──► MessageReader
 *   DatagramListener ─► MessageDatagrams ──► Unpacking ──┘    until they are       one event each,
 *                       one thread a port                     stored               or several
 * </pre>
 */
@NullMarked
package io.cordwood.ingest.message;

import org.jspecify.annotations.NullMarked;
