/**
 * The wallet page's end of its port: calls with answers, and the state as the background pushes it. The port is opened
 * again when the worker stops. Open calls that are safe to repeat are then sent again, and all others fail.
 */
import type { ToUi, UiCall, UiMethod, UiMethods, UiState } from '../messages.ts'

/** A connection to the background. It is made anew after each disconnect. */
export type UiPort = {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onDisconnect(listener: () => void): void
}

/** Methods that take the password, where the person wants it asked for before every transaction. */
type ConfirmedMethod =
  | 'decide'
  | 'sendOwn'
  | 'speedUp'
  | 'cancelTransaction'
  | 'revokeAllowance'
  | 'removeDelegation'
  | 'setSafety'

/** A call that waits for the password. */
export type Confirming = {
  /** Makes the call. Throws as `call`: another password may be tried. */
  act(password: string): Promise<void>
  /** Gives it up: what waits for it fails with what failed last, or with CANCELLED. */
  cancel(): void
}

export type Client = {
  /** What the wallet shows; null until the background has first told. */
  readonly state: UiState | null
  /** Throws CallError: the background's own error, or the loss of the connection. */
  call<M extends UiMethod>(method: M, params: UiMethods[M][0]): Promise<UiMethods[M][1]>
  /** As `call`, with the password, for which the person is asked where they want that. */
  confirm<M extends ConfirmedMethod>(method: M, params: UiMethods[M][0]): Promise<UiMethods[M][1]>
  readonly confirming: Confirming | null
}

/** JSON-RPC leaves this code free; no method of the background answers with it. */
export const CONNECTION_LOST = 0
/** The person did not go on. */
export const CANCELLED = 1

/** An answer that is an error. `code` is of the table in shared/errors, or CONNECTION_LOST. */
export class CallError extends Error {
  override name = 'CallError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Pause before the port is opened again, in ms: none at first, doubled while it keeps failing. */
const FIRST_PAUSE = 50
const LONGEST_PAUSE = 2_000

/**
 * The message as plain JSON. Chromium serializes messages to JSON itself; Firefox clones them, and cannot clone the proxies
 * that Svelte makes of state.
 */
const toPlain = <T>(message: T): T => JSON.parse(JSON.stringify(message))

/** The background counts these once, however often they come: after a stopped worker they are sent again. */
const REPEATABLE: ReadonlySet<UiMethod> = new Set<UiMethod>([
  'approveProposal',
  'decide',
  'forgetPairing',
  'movePairing',
  'pair',
  'readPairing',
  'rejectProposal',
])
/** How often a call is sent again before it fails. */
const MAX_REPEATS = 5

/** A call without an answer. `repeats` is how often it may still be sent again. */
type Open = { message: UiCall; repeats: number; resolve(result: unknown): void; reject(error: Error): void }

export const createClient = (connect: () => UiPort): Client => {
  let state = $state.raw<UiState | null>(null)
  let confirming = $state.raw<Confirming | null>(null)
  /** Null until it is opened again. */
  let port: UiPort | null = null
  let pause = 0
  let lastId = 0
  const open = new Map<number, Open>()

  const receive = (message: unknown) => {
    pause = 0
    // The background is part of the wallet: its messages are what messages.ts says.
    const answer = message as ToUi
    if ('state' in answer) {
      state = answer.state
      return
    }
    const call = open.get(answer.id)
    open.delete(answer.id)
    if ('error' in answer) call?.reject(new CallError(answer.error.code, answer.error.message))
    else call?.resolve(answer.result)
  }

  const fail = ({ message, reject }: Open, error: Error) => {
    open.delete(message.id)
    reject(error)
  }
  /** The port may refuse a message that needs a press. */
  const send = (to: UiPort, call: Open) => {
    try {
      to.post(call.message)
    } catch (error) {
      fail(call, error as Error)
    }
  }
  const keepOrFail = (call: Open) => {
    call.repeats -= 1
    if (call.repeats < 0) fail(call, new CallError(CONNECTION_LOST, 'The connection was lost'))
  }

  const lose = () => {
    port = null
    for (const call of [...open.values()]) keepOrFail(call)
    setTimeout(start, pause)
    pause = Math.min(Math.max(FIRST_PAUSE, pause * 2), LONGEST_PAUSE)
  }

  const call: Client['call'] = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      const call: Open = {
        message: toPlain({ id, method, params } as UiCall),
        repeats: REPEATABLE.has(method) ? MAX_REPEATS : 0,
        // The table in messages.ts ties the result's type to the method.
        resolve: result => resolve(result as UiMethods[typeof method][1]),
        reject,
      }
      open.set(id, call)
      if (port) send(port, call)
      else keepOrFail(call)
    })

  const confirm: Client['confirm'] = (method, params) => {
    if (!state?.safety.asksPassword) return call(method, params)
    return new Promise((resolve, reject) => {
      let failure: unknown = new CallError(CANCELLED, '')
      confirming = {
        act: async password => {
          try {
            resolve(await call(method, { ...params, password }))
          } catch (error) {
            failure = error
            throw error
          }
          confirming = null
        },
        cancel: () => {
          confirming = null
          reject(failure)
        },
      }
    })
  }

  const start = () => {
    const opened = connect()
    port = opened
    opened.onMessage(receive)
    opened.onDisconnect(lose)
    for (const call of [...open.values()]) send(opened, call)
    call('getState', null).then(
      current => {
        state = current
      },
      () => {},
    )
  }

  start()
  return {
    get state() {
      return state
    },
    call,
    confirm,
    get confirming() {
      return confirming
    },
  }
}
