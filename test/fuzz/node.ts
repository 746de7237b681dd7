/** A JSON-RPC client that can reserve the node for one task. */

export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>

export type Node = {
  /** Sends a call. Waits while a task has reserved the node. */
  rpc: Rpc
  /** Runs a task alone: after all earlier calls, and before all later ones. */
  alone<T>(work: (rpc: Rpc) => Promise<T>): Promise<T>
}

const openRpc =
  (url: string): Rpc =>
  async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

const ended = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => undefined,
    () => undefined,
  )

export const createNode = (url: string): Node => {
  const rpc = openRpc(url)
  const calls = new Set<Promise<void>>()
  let lastAlone: Promise<void> = Promise.resolve()

  const call: Rpc = (method, params) => {
    const answer = lastAlone.then(() => rpc(method, params))
    const end = ended(answer)
    calls.add(end)
    void end.then(() => calls.delete(end))
    return answer
  }
  const alone: Node['alone'] = work => {
    const running = Promise.all([lastAlone, ...calls]).then(() => work(rpc))
    lastAlone = ended(running)
    return running
  }
  return { rpc: call, alone }
}
