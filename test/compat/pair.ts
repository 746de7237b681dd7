/** The scenarios that every pair of dApp and wallet passes over the relay. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TypedDataEncoder, verifyTypedData } from 'ethers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isComplete } from '../support/suite.ts'
import type { Dapp, Session, Wallet } from './client-interfaces.ts'
import type { Face, Kind } from './clients.ts'
import { openPeer } from './peer.ts'
import { openRelay, type Relay } from './relay.ts'
import { exchange, expectSigned, key, namespacesOf, request, settle, sign, type Two } from './session.ts'

export type KindOf<Acts> = { [K in Kind]: Face<K> extends Acts ? K : never }[Kind]

/** The clients' own switch that disables telemetry in tests. `defaults.test.ts` runs without it. */
const QUIET = { IS_VITEST: 'true' }

/** Signals that stop a relay. The gate uses only the crash, because a graceful stop keeps at least as much. */
const ENDS = isComplete ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGKILL'] as const)

const SECOND = `0x${'bb'.repeat(20)}`
const domain = { name: 'Post', version: '1', chainId: 1, verifyingContract: SECOND }
const types = {
  Mail: [
    { name: 'to', type: 'address' },
    { name: 'words', type: 'string' },
  ],
}
const mail = { to: SECOND, words: 'Grüße an alle 👋' }

/** Defines the tests of a pair that uses the relay's methods with `prefix`. */
export const describePair = (
  dappKind: KindOf<Dapp>,
  walletKind: KindOf<Wallet>,
  prefix: 'irn' | 'waku' = 'irn',
): void => {
  const isBeta = prefix === 'waku'
  /**
   * A beta exits if a connection is refused. 2.17 stops reconnecting after five refusals, which takes about 11 seconds.
   */
  const givesUp = isBeta || dappKind === 'sign-client 2.17'
  /** Other hosts that clients tried to reach before they were closed. */
  const refused: string[] = []
  let folder: string
  let relay: Relay
  let two: Two

  const open = async (): Promise<void> => {
    folder = await mkdtemp(join(tmpdir(), 'compat-'))
    relay = await openRelay(join(folder, 'relay'))
    const { port } = relay
    const dapp = await openPeer(dappKind, { port, folder: join(folder, 'dapp'), env: QUIET })
    const wallet = await openPeer(walletKind, { port, folder: join(folder, 'wallet'), env: QUIET })
    two = { dapp, wallet }
  }
  const close = async (): Promise<void> => {
    const { dapp, wallet } = two
    refused.push(...dapp.refused(), ...wallet.refused())
    const ends = await Promise.allSettled([dapp.dispose(), wallet.dispose(), relay.stop()])
    await rm(folder, { recursive: true })
    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
  }

  /** Settles a session and waits until no messages are in transit. */
  const settleDown = async (): Promise<Session> => {
    const session = await settle(two, prefix)
    await exchange(two, session)
    return session
  }

  /** Sends a request while the wallet is offline. Resolves once the relay has it. */
  const requestInVain = async (session: Session): Promise<{ answer: Promise<unknown> }> => {
    const before = await relay.accepted()
    const answer = request(two, session)
    answer.catch(() => undefined)
    await vi.waitFor(async () => expect(await relay.accepted()).toBeGreaterThan(before), 20_000)
    return { answer }
  }

  describe(`${dappKind} as the dApp, ${walletKind} as the wallet`, () => {
    beforeAll(open)
    afterAll(close)

    test('a message and typed data are signed', async () => {
      const { dapp, wallet } = two
      const session = await settle(two, prefix)
      await exchange(two, session)
      const params = [key.address, JSON.stringify(TypedDataEncoder.getPayload(domain, types, mail))]
      const answer = dapp.acts.request({ ...session, method: 'eth_signTypedData_v4', params })
      const { id, topic, ...asked } = await wallet.next('request')
      expect(asked).toMatchObject({ method: 'eth_signTypedData_v4', params })
      await wallet.acts.respond({ id, topic, result: await key.signTypedData(domain, types, mail) })
      expect(verifyTypedData(domain, types, mail, `${await answer}`)).toBe(key.address)
    })

    test('an event, an update and an extension reach the dApp, and both answer a ping', async () => {
      const { dapp, wallet } = two
      const session = await settle(two, prefix)
      const event = { ...session, name: 'accountsChanged', data: [SECOND] }
      await wallet.acts.emit(event)
      expect(await dapp.next('event')).toEqual(event)
      const namespaces = namespacesOf(key.address, SECOND)
      await wallet.acts.update({ ...session, namespaces })
      expect(await dapp.next('update')).toEqual({ namespaces })
      await wallet.acts.extend(session)
      expect(await dapp.next('extend')).toEqual(session)
      await dapp.acts.ping(session)
      expect(await wallet.next('ping')).toEqual(session)
      await wallet.acts.ping(session)
      expect(await dapp.next('ping')).toEqual(session)
    })

    test('either ends a session, and the other is notified', async () => {
      const { dapp, wallet } = two
      const first = await settle(two, prefix)
      await dapp.acts.disconnect(first)
      expect(await wallet.next('delete')).toEqual(first)
      const next = await settle(two, prefix)
      await wallet.acts.disconnect(next)
      expect(await dapp.next('delete')).toEqual(next)
    })

    // Skipped for a beta, which exits if a message arrives while it is opening.
    if (!isBeta)
      test('a closed wallet gets the request when it is opened', async () => {
        const { wallet } = two
        const session = await settleDown()
        await wallet.close()
        const { answer } = await requestInVain(session)
        await wallet.open()
        const respond = await sign(two)
        await respond()
        await expectSigned(answer)
      })

    test('a request is stored for a disconnected wallet, and its response for a disconnected dApp', async () => {
      const { dapp, wallet } = two
      const session = await settleDown()
      wallet.cut()
      const { answer } = await requestInVain(session)
      await wallet.mend()
      const respond = await sign(two)
      dapp.cut()
      await respond()
      await dapp.mend()
      await expectSigned(answer)
    })

    // Skipped for a beta: at its next heartbeat, it publishes again what it sent while reconnecting. It then throws at
    // a response, because it has no record of the request.
    if (!isBeta)
      test('both reconnect after they lost their sockets', async () => {
        const { dapp, wallet } = two
        const session = await settleDown()
        dapp.cut()
        wallet.cut()
        await Promise.all([dapp.mend(), wallet.mend()])
        await exchange(two, session)
        await wallet.acts.ping(session)
        await dapp.acts.ping(session)
      })

    test.each(ENDS)('a request survives a restart of the relay by %s', async signal => {
      const { dapp, wallet } = two
      const session = await settleDown()
      wallet.cut()
      const { answer } = await requestInVain(session)
      // This client may give up reconnecting before the relay has restarted. Its connection is cut, so that its
      // attempts get no response instead of a refusal and it keeps trying.
      if (givesUp) dapp.cut()
      await relay.restart(signal)
      await wallet.mend()
      const respond = await sign(two)
      await dapp.mend()
      await respond()
      await expectSigned(answer)
      await exchange(two, session)
    })

    // This test must be the last, because it checks all connections of the previous tests.
    test('neither tried to reach another host', () => {
      expect([...refused, ...two.dapp.refused(), ...two.wallet.refused()]).toEqual([])
    })
  })
}
