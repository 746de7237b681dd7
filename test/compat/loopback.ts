/**
 * Preloaded into a client's process: limits it to this machine. Other connections fail as without a network, and their
 * hosts are written to the file that REFUSALS names. Every TCP connection of Node starts in `net.Socket.connect`,
 * including connections by `ws`, http, https, fetch and WebSocket.
 */
import dgram from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/
const { REFUSALS = '' } = process.env

type Asking = (this: unknown, ...args: unknown[]) => unknown

const refusal = (host: string): Error => {
  appendFileSync(REFUSALS, `${host}\n`)
  return Object.assign(new Error(`${host} is not this machine`), { code: 'ENETUNREACH' })
}

/**
 * Returns the host of a connection. `connect` takes (options), (port, host), (path) or, inside Node, a list of these. A
 * path is local to this machine.
 */
const hostOf = ([first, second]: unknown[]): string => {
  if (Array.isArray(first)) return hostOf(first)
  if (typeof first === 'object' && first !== null && 'host' in first) return `${first.host ?? 'localhost'}`
  return typeof first === 'number' && typeof second === 'string' ? second : 'localhost'
}

const { connect } = net.Socket.prototype
const guardedConnect = function (this: net.Socket, ...args: unknown[]): unknown {
  const host = hostOf(args)
  if (LOOPBACK.test(host)) return Reflect.apply(connect, this, args)
  const error = refusal(host)
  process.nextTick(() => this.destroy(error))
  return this
}
Object.assign(net.Socket.prototype, { connect: guardedConnect })

/** Makes DNS lookups of other machines' names throw. */
const guardNames = (resolver: object): void => {
  for (const [name, ask] of Object.entries(Object.getOwnPropertyDescriptors(resolver))) {
    if (typeof ask.value !== 'function' || !/^(lookup|lookupService|resolve\w*|reverse)$/.test(name)) continue
    const original: Asking = ask.value
    const guarded: Asking = function (this: unknown, host, ...rest) {
      if (!LOOPBACK.test(`${host}`)) throw refusal(`${host}`)
      return original.call(this, host, ...rest)
    }
    Object.assign(resolver, { [name]: guarded })
  }
}
for (const resolver of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
  guardNames(resolver)

/** Refuses all datagrams, because no client needs UDP. */
const refuseDatagram = (): never => {
  throw refusal('udp')
}
Object.assign(dgram.Socket.prototype, { send: refuseDatagram, connect: refuseDatagram })

syncBuiltinESMExports()
