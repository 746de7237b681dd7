/** Calls over one socket to a relay, and its answers. Ids are whole numbers below 2^53, and not those of an earlier socket. */
import { errorCodes, RpcError } from '@heliograph/shared/errors'
import { encodeRequest, type RawId, type Response } from '@heliograph/shared/wire/json-rpc'

/** How long an answer may take, in ms: a line on which nothing comes is dead. */
export const ANSWER_TIME = 10_000

export type RelayCalls = {
  /** The relay's result. Throws its RpcError, and another error when the socket has ended before, or is given up. */
  call(method: string, params: unknown): Promise<unknown>
  answered(response: Response): void
  /** Nothing will be answered any more. */
  end(): void
}

type Waiting = { resolve(result: unknown): void; reject(error: Error): void; timer: ReturnType<typeof setTimeout> }

export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
}

/** Errors with which the same call can never succeed. */
const FINAL: ReadonlySet<number> = new Set([
  errorCodes.invalidRequest[0],
  errorCodes.methodNotFound[0],
  errorCodes.invalidParams[0],
])

/** How a relay says of one message that it is too long, under the code with which it says that a mailbox is full. */
const TOO_LONG = /\blonger than\b/
const isTooLong = ({ code, message }: RpcError) => code === errorCodes.limitExceeded[0] && TOO_LONG.test(message)

export const isFinal = (error: unknown): boolean =>
  error instanceof RpcError && (FINAL.has(error.code) || isTooLong(error))

/** `onSilence` is called when an answer does not come. */
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
      else call.reject(new RpcError(response.error.code, response.error.message))
    },
    end: () => {
      for (const { timer, reject } of waiting.values()) {
        clearTimeout(timer)
        reject(new ConnectionLost('the connection ended before the answer'))
      }
      waiting.clear()
    },
  }
}
