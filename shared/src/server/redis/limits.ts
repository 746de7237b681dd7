/** Time limits of the connections to Redis, in milliseconds. */

/** From a call to the error that its caller gets. Clients of the servers wait longer. */
export const REPLY_WITHIN = 5000
export const CONNECT_WITHIN = 3000
/** From an attempt to connect until the library frees its socket. Counts stalls of this process too, so it is the longer one. */
export const FREE_SOCKET_AFTER = 12_000
/** Between pings, and without any reply until a connection is given up. */
export const PING_EVERY = 2000
export const SILENT_FOR = 8000
/** Between two attempts to connect. */
export const RETRY_AFTER = 250
