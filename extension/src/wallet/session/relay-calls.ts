/** JSON-RPC calls over one relay socket. Ids are integers below 2^53, and differ from the ids on earlier sockets. */
import { errorCodes, RpcError } from '@heliograph/shared/errors'
import { isObject } from '@heliograph/shared/evm/json'
import { encodeRequest, type RawId, type RpcResponse } from '@heliograph/shared/wire/json-rpc'
import { MESSAGE_TOO_LONG } from '@heliograph/shared/wire/relay-methods'
import { answeredError } from '../text/errors.ts'

/** Response timeout in ms. After that, the connection counts as lost. */
export const ANSWER_TIME = 10_000

export type RelayCalls = {
  /** Resolves with the result. Rejects with the relay's RpcError, or with ConnectionLost if the socket closes first. */
  call(method: string, params: unknown): Promise<unknown>
  answered(response: RpcResponse): void
  /** Rejects all pending calls. */
  end(): void
}

type Waiting = { resolve(result: unknown): void; reject(error: Error): void; timer: ReturnType<typeof setTimeout> }

export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
}

/** Codes of errors that the call would get again if it were repeated. */
const FINAL: ReadonlySet<number> = new Set([
  errorCodes.invalidRequest[0],
  errorCodes.methodNotFound[0],
  errorCodes.invalidParams[0],
])

/**
 * True if this project's relay reports that a message is too long. The error's `data` is checked, because a full
 * mailbox has the same code. Other relays give no reason.
 */
const isTooLong = ({ code, data }: RpcError): boolean =>
  code === errorCodes.limitExceeded[0] && isObject(data) && data.reason === MESSAGE_TOO_LONG

export const isFinal = (error: unknown): boolean =>
  error instanceof RpcError && (FINAL.has(error.code) || isTooLong(error))

/** `onSilence` is called when a response times out. */
export const createRelayCalls = (send: (text: string) => void, firstId: number, onSilence: () => void): RelayCalls => {
  const waiting = new Map<RawId, Waiting>()
  let lastId = firstId

  return {
    call: (method, params) =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        waiting.set(`${id}`, { resolve, reject, timer: setTimeout(onSilence, ANSWER_TIME) })
        send(encodeRequest(id, method, params))
      }),
    answered: response => {
      const call = waiting.get(response.id)
      if (!call) return
      waiting.delete(response.id)
      clearTimeout(call.timer)
      if ('result' in response) call.resolve(response.result)
      else call.reject(answeredError(response.error, 'relayAnswered'))
    },
    end: () => {
      for (const { timer, reject } of waiting.values()) {
        clearTimeout(timer)
        reject(new ConnectionLost('The connection closed before the response'))
      }
      waiting.clear()
    },
  }
}
