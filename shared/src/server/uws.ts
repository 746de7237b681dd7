/**
 * uWebSockets.js, loaded so that its parser takes heads of any length a setting may allow: then the setting decides, and
 * what goes beyond it gets an answer of ours. The parser reads its bound once, from the environment, when it is loaded.
 *
 * Some of what it does cannot be changed or seen from here, and is left as it is:
 * - What is no HTTP/1.1, a head beyond the parser's bound, one without a Host or with both Content-Length and
 *   Transfer-Encoding, a Content-Length that is no number and chunks that are no chunks: the parser answers 505, 431 or
 *   400 by itself, with a line of HTML, and closes.
 * - A request line alone, a line that is no header, a chunk with an extension: the parser waits for more and answers
 *   nothing.
 * - A frame of a WebSocket without a mask: it is read as if it had one.
 * - A connection has 8 to 12 seconds for a whole head, the TLS handshake included, and as long between two requests. A
 *   body must be there in that time, too, or come at 16 kB a second. Bytes that drip do not prolong it.
 */
import { setVariable } from './config.ts'

/** Bytes of the longest head a setting may allow. */
export const MAX_HEAD = 16 * 1024

setVariable('UWS_HTTP_MAX_HEADERS_SIZE', `${MAX_HEAD}`)

export const { App, LIBUS_LISTEN_EXCLUSIVE_PORT, SSLApp, us_listen_socket_close, us_socket_local_port } = await import(
  'uWebSockets.js'
)
