/**
 * GELF over TCP, TLS, UDP and HTTP: objects of JSON.
 *
 * <pre>
 *   TCP  ──► GelfFraming ─────────────────┐
 *   UDP  ──► GelfDatagrams ─► GelfChunks ─┼──► GelfReader ──► Events
 *   HTTP ──► GelfRoutes, GelfFraming ─────┘
 * </pre>
 */
@NullMarked
package io.cordwood.ingest.gelf;

import org.jspecify.annotations.NullMarked;
