/** Time limits of the connections to Redis, in milliseconds. */

/** From a call to the error that its caller gets. Clients of the servers wait longer. */
export const REPLY_WITHIN = 5000
export const CONNECT_WITHIN = 3000
/** Between pings, and without any reply until a connection is given up. */
export const PING_EVERY = 2000
export const SILENT_FOR = 8000
/** Between two attempts to connect. */
export const RETRY_AFTER = 250
