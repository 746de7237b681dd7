/** Exports that the package's types leave out. */
import 'uWebSockets.js'

declare module 'uWebSockets.js' {
  /** Prevents a second process from sharing the port. */
  export const LIBUS_LISTEN_EXCLUSIVE_PORT: number

  interface TemplatedApp {
    listen(
      host: string,
      port: number,
      options: number,
      callback: (listenSocket: us_listen_socket | false) => void,
    ): TemplatedApp
  }
}
