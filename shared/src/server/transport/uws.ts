/**
 * Loads uWebSockets.js with a parser limit high enough for any allowed setting of header-bytes, so that longer heads get
 * our own response. The parser reads its limit from the environment once, while it is loaded.
 *
 * Some of its behavior cannot be changed or observed:
 * - For input other than HTTP/1.1, a head over the parser's limit, a head without Host or with both Content-Length and
 *   Transfer-Encoding, an invalid Content-Length, and invalid chunks, the parser itself responds with 505, 431 or
 *   400 and a line of HTML, and closes the connection.
 * - For a request line alone, an invalid header line and a chunk with an extension, the parser waits for more data and
 *   does not respond.
 * - A WebSocket frame without a mask is read as if it had one.
 * - A complete head, including the TLS handshake, must arrive within 8 to 12 seconds. The same limit
 *   applies between requests. A body must arrive within this time or at 16 kB per second. Sending single
 *   bytes does not extend the time.
 */
import { MAX_HEAD } from '../limits/rows.ts'
import { setVariable } from '../process/config.ts'

setVariable('UWS_HTTP_MAX_HEADERS_SIZE', `${MAX_HEAD}`)

export const { App, LIBUS_LISTEN_EXCLUSIVE_PORT, SSLApp, us_listen_socket_close, us_socket_local_port } = await import(
  'uWebSockets.js'
)
