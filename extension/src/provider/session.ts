/** The page's session with the wallet: start, end, and the events of EIP-1193. */
import { awaitable, copyArray, isArray, isFulfilled, type OwnPage, stringify, toDecimal } from './captured.ts'
import { type Connection, providerError, toPlain } from './connection.ts'
import type { Emit } from './emitter.ts'

/** A cached value; undefined until known. */
type CachedValue<T> = {
  readonly value: T | undefined
  /** Sets a value that arrived in an event. */
  learn(value: T): void
  /** Reads the value from the wallet. A value learned meanwhile is newer and takes precedence. */
  ask(): Promise<void>
}

const isSame = (one: unknown, other: unknown) => stringify(toPlain(one)) === stringify(toPlain(other))

/** Calls `onChange` with changed values, but not with the first one. Compares values as JSON. */
export const createCachedValue = <T>(read: () => Promise<T>, onChange: (value: T) => void): CachedValue<T> => {
  let known: T | undefined
  let timesTold = 0

  return {
    get value() {
      return known
    },
    learn: value => {
      timesTold++
      const changes = !isSame(known, value)
      known = value
      if (changes) onChange(value)
    },
    ask: async () => {
      const asked = timesTold
      const value = await awaitable(read())
      if (asked !== timesTold) return
      const changes = known !== undefined && !isSame(known, value)
      known = value
      if (changes) onChange(value)
    },
  }
}

export type Session = {
  /** A QUANTITY; undefined until known. */
  readonly chainId: string | undefined
  readonly accounts: readonly string[]
  isConnected(): boolean
  /**
   * Starts the session, unless it has started. Called with the page's first request and not earlier, so that pages that
   * never use the wallet do not wake the worker.
   */
  begin(): void
  /** Sets the accounts from a response, which may arrive before the event. */
  learnAccounts(accounts: unknown): void
}

/** Returns the chain id in decimal, for `net_version`. */
export const toNetworkVersion = (chainId: string): string => toDecimal(chainId)

export const createSession = (page: OwnPage, connection: Connection, emit: Emit): Session => {
  let state: 'disconnected' | 'beginning' | 'connected' = 'disconnected'

  const chain = createCachedValue(
    () => connection.send('eth_chainId', undefined) as Promise<string>,
    chainId => {
      emit('chainChanged', [chainId])
      emit('networkChanged', [toNetworkVersion(chainId)])
    },
  )
  const accounts = createCachedValue(
    () => connection.send('eth_accounts', undefined) as Promise<readonly string[]>,
    now => emit('accountsChanged', [copyArray(now)]),
  )

  /** Resolves with whether both reads succeeded. */
  const refresh = async (): Promise<boolean> => {
    const chainRead = isFulfilled(chain.ask())
    const accountsRead = isFulfilled(accounts.ask())
    const isChainKnown = await awaitable(chainRead)
    return (await awaitable(accountsRead)) && isChainKnown
  }
  const refreshWhenConnected = async () => {
    if (state === 'connected') await awaitable(refresh())
  }

  const begin = async () => {
    if (state !== 'disconnected') return
    state = 'beginning'
    const isKnown = await awaitable(refresh())
    state = isKnown ? 'connected' : 'disconnected'
    if (isKnown) emit('connect', [{ chainId: chain.value }])
  }

  connection.onEvent(({ event, data }) => {
    if (event === 'chainChanged') chain.learn(data as string)
    else if (event === 'accountsChanged') accounts.learn(data as readonly string[])
    else emit(event, [data])
  })

  let isRefreshing = false
  connection.onResent(async () => {
    // A refresh that is still in flight was resent too, so its response will be current.
    if (isRefreshing) return
    isRefreshing = true
    await awaitable(refreshWhenConnected())
    isRefreshing = false
  })

  connection.onClose((code, reason) => {
    if (state !== 'connected') return
    state = 'disconnected'
    emit('disconnect', [providerError(code, reason)])
    emit('close', [code, reason])
  })

  // A page in the back/forward cache gets no events, so it reads the current state when it is shown again.
  page.onShownAgain(() => void refreshWhenConnected())

  return {
    get chainId() {
      return chain.value
    },
    get accounts() {
      return accounts.value ?? []
    },
    isConnected: () => state === 'connected',
    begin: () => void begin(),
    learnAccounts: answer => {
      if (isArray(answer)) accounts.learn(answer)
    },
  }
}
