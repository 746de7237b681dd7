/** The attacker, a separate process. It generates its keys, sends `ready`, and starts the attack on request. */
import { createServer } from 'node:net'
import { type Attack, prepare } from './attacks.ts'

/**
 * Starts a server that reads everything and responds to nothing, to measure the attack's cost for the machine without
 * the relay.
 */
const listenHere = (own: number, attack: (port: number) => void): void => {
  const server = createServer(socket => socket.on('error', () => undefined).resume())
  server.listen(own, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address) attack(address.port)
  })
}

process.once('disconnect', () => process.exit())
process.once('message', (options: Attack) => {
  const attack = prepare(options)
  process.once('message', (port: number | 'yourself') => {
    if (port === 'yourself') listenHere(options.ownPort, attack)
    else attack(port)
  })
  process.send?.('ready')
})
