/** Exports that the package's types leave out. */
import 'uWebSockets.js'

declare module 'uWebSockets.js' {
  /** Prevents a second process from sharing the port. */
  export const LIBUS_LISTEN_EXCLUSIVE_PORT: number

  /** Identifies an app to other apps of the process. */
  export type AppDescriptor = { readonly descriptor: unique symbol }

  interface TemplatedApp {
    listen(
      host: string,
      port: number,
      options: number,
      callback: (listenSocket: us_listen_socket | false) => void,
    ): TemplatedApp
    getDescriptor(): AppDescriptor
    /** Forwards new connections of this app's port to the other apps in turn, before anything is read from them. */
    addChildAppDescriptor(app: AppDescriptor): TemplatedApp
    removeChildAppDescriptor(app: AppDescriptor): TemplatedApp
  }
}
