/** The sockets to relays, which a document beside the worker holds. */

/** background → offscreen document, and back: the sockets to relays, each by a name. */
export type SocketOrder =
  | { order: 'open'; name: string; url: string }
  | { order: 'send'; name: string; text: string }
  | { order: 'close'; name: string }
export type SocketNews =
  | { news: 'opened'; name: string }
  | { news: 'received'; name: string; text: string }
  | { news: 'closed'; name: string; code: number; reason: string }
