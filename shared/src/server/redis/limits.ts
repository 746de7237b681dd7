/** Timeouts and intervals of connections to Redis, in milliseconds. */

/** Timeout of a call. The servers' clients have longer timeouts. */
export const REPLY_WITHIN = 5000
/** Timeout of an attempt to connect. */
export const CONNECT_WITHIN = 3000
/**
 * Time after which the library frees the socket of an attempt to connect. It is longer than CONNECT_WITHIN, because it
 * includes the time for which this process is stalled.
 */
export const FREE_SOCKET_AFTER = 12_000
/** Interval of pings. */
export const PING_EVERY = 2000
/** Time without any reply after which a connection counts as lost. */
export const SILENT_FOR = 8000
/** Time between two attempts to connect. */
export const RETRY_AFTER = 250
