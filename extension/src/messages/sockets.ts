/** Messages between the worker and the offscreen document, which holds the relay sockets and writes to the clipboard. */

/** Background ↔ offscreen document. Each socket has a name. */
export type SocketOrder =
  | { order: 'open'; name: string; url: string }
  | { order: 'send'; name: string; text: string }
  | { order: 'close'; name: string }
export type SocketNews =
  | { news: 'opened'; name: string }
  | { news: 'received'; name: string; text: string }
  | { news: 'closed'; name: string; code: number; reason: string }

/** Background → offscreen document: a text to copy. The response is true if it was copied. */
export type CopyOrder = { copy: string }
