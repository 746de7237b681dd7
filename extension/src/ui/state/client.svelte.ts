/**
 * The wallet page's end of its port: calls to the background, and the state that the background pushes. When the worker
 * stops, the client reconnects, resends pending calls that are safe to repeat, and fails the others.
 */
import type { Values } from '@heliograph/shared/reasons'
import {
  type FailureView,
  REPEATABLE,
  type ToUi,
  type UiCall,
  type UiMethod,
  type UiMethods,
  type UiPort,
  type UiState,
} from '../../messages.ts'

/** Methods that can take the password, if the user chose to enter it before every transaction. */
type ConfirmedMethod =
  | 'decide'
  | 'sendOwn'
  | 'speedUp'
  | 'cancelTransaction'
  | 'revokeAllowance'
  | 'importEntries'
  | 'removeDelegation'
  | 'setSafety'

/** A call that is waiting for the password. */
export type Confirming = {
  /** Makes the call. Throws as `call` does; the user can then try another password. */
  act(password: string): Promise<void>
  /** Cancels the call. It rejects with the error of the last attempt, or with CANCELLED. */
  cancel(): void
}

export type Client = {
  /** The wallet's state; null until the background has sent it. */
  readonly state: UiState | null
  /** Why the wallet does not open its data; null if it does. */
  readonly refusal: FailureView | null
  /** Calls a method. Throws CallError: the background's error, or CONNECTION_LOST. */
  call<M extends UiMethod>(method: M, params: UiMethods[M][0]): Promise<UiMethods[M][1]>
  /** Like `call`, but first asks for the password if the user chose so. */
  confirm<M extends ConfirmedMethod>(method: M, params: UiMethods[M][0]): Promise<UiMethods[M][1]>
  readonly confirming: Confirming | null
}

/** Error code outside JSON-RPC's reserved range, which no method of the background uses. */
export const CONNECTION_LOST = 0
/** Error code: the user cancelled the call. */
export const CANCELLED = 1

/** An error response. `code` is one of shared/errors, CONNECTION_LOST or CANCELLED. */
export class CallError extends Error {
  override name = 'CallError'
  readonly code: number
  readonly reason: string
  readonly values: Values

  constructor({ code, reason, values }: FailureView) {
    super(reason)
    this.code = code
    this.reason = reason
    this.values = values
  }
}

/** Pause before a reconnect, in ms: none at first, then doubled with each failure. */
const FIRST_PAUSE = 50
const LONGEST_PAUSE = 2_000

/**
 * Copies the message as plain JSON. Chromium serializes messages to JSON itself. Firefox uses structured clone, which fails
 * on Svelte's state proxies.
 */
const toPlain = <T>(message: T): T => JSON.parse(JSON.stringify(message))

/** Maximum repeats of a call before it fails. */
const MAX_REPEATS = 5

/** A pending call. `repeats` is the number of repeats left. */
type Open = { message: UiCall; repeats: number; resolve(result: unknown): void; reject(error: Error): void }

export const createClient = (connect: () => UiPort): Client => {
  let state = $state.raw<UiState | null>(null)
  let refusal = $state.raw<FailureView | null>(null)
  let confirming = $state.raw<Confirming | null>(null)
  /** Null while disconnected. */
  let port: UiPort | null = null
  let pause = 0
  let lastId = 0
  const open = new Map<number, Open>()

  const receive = (message: unknown) => {
    pause = 0
    // The background is trusted: its messages match the types in messages.ts.
    const answer = message as ToUi
    if ('state' in answer) {
      state = { ...state, ...answer.state } as UiState
      return
    }
    if ('refusal' in answer) {
      refusal = answer.refusal
      return
    }
    const call = open.get(answer.id)
    open.delete(answer.id)
    if ('error' in answer) call?.reject(new CallError(answer.error))
    else call?.resolve(answer.result)
  }

  const fail = ({ message, reject }: Open, error: Error) => {
    open.delete(message.id)
    reject(error)
  }
  /** Sends a call. `post` throws if the message needs a user gesture and there was none. */
  const send = (to: UiPort, call: Open) => {
    try {
      to.post(call.message)
    } catch (error) {
      fail(call, error as Error)
    }
  }
  const keepOrFail = (call: Open) => {
    call.repeats -= 1
    if (call.repeats < 0) fail(call, new CallError({ code: CONNECTION_LOST, reason: 'connectionLost', values: {} }))
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
      const pending: Open = {
        message: toPlain({ id, method, params } as UiCall),
        repeats: REPEATABLE.has(method) ? MAX_REPEATS : 0,
        // UiMethods in messages.ts ties the result's type to the method.
        resolve: result => resolve(result as UiMethods[typeof method][1]),
        reject,
      }
      open.set(id, pending)
      if (port) send(port, pending)
      else keepOrFail(pending)
    })

  const confirm: Client['confirm'] = (method, params) => {
    if (!state?.safety.asksPassword) return call(method, params)
    return new Promise((resolve, reject) => {
      let failure: unknown = new CallError({ code: CANCELLED, reason: 'cancelled', values: {} })
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
  }

  start()
  return {
    get state() {
      return state
    },
    get refusal() {
      return refusal
    },
    call,
    confirm,
    get confirming() {
      return confirming
    },
  }
}
