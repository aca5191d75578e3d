/**
 * Syslog over TCP, TLS and UDP, as RFC 5424, RFC 3164 and habit have it.
 *
 * <pre>
 *   TCP ──► SyslogFraming ──► SyslogReader ──► Events
 *   UDP ──► a datagram each ──┘   │
 *                                 └ SyslogHeader, SyslogTime: who said it, and when
 * </pre>
 *
 * <p>A record is the whole message as it was sent.
 */
@NullMarked
package io.cordwood.ingest.syslog;

import org.jspecify.annotations.NullMarked;
