/** Test steps for a session between the headless wallet and a published dApp client, over the project's relay. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testNetworks } from '../../extension/src/wallet/networks/networks.fixture.ts'
import { createChain } from '../../extension/src/wallet/networks/node.ts'
import { ADDRESS, SECOND } from '../../extension/src/wallet/wallet.fixture.ts'
import type { Call, Dapp, Session } from '../compat/client-interfaces.ts'
import type { KindOf } from '../compat/pair.ts'
import { openPeer, type Peer } from '../compat/peer.ts'
import { openRelay, type Relay } from '../compat/relay.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import {
  asked,
  askedTooMuch,
  expectMailSigned,
  expectSent,
  expectTextSigned,
  LOCAL,
  send,
  signMail,
  signText,
} from './dapp-requests.ts'
import { approveLink, decideNext, type HeadlessWallet, openHeadless } from './headless.ts'

/**
 * These clients also send the namespaces of earlier `connect` calls, so they never send a proposal that the wallet does
 * not support.
 */
const PROVIDERS: ReadonlySet<KindOf<Dapp>> = new Set(['universal-provider 2.21', 'ethereum-provider 2.21'])

export const describeClient = (kind: KindOf<Dapp>): void => {
  describe(kind, () => {
    let chain: Anvil
    let folder: string
    let relay: Relay
    let dapp: Peer<Dapp>
    let wallet: HeadlessWallet

    beforeAll(async () => {
      chain = await startAnvil()
      folder = await mkdtemp(join(tmpdir(), 'session-'))
      relay = await openRelay(join(folder, 'relay'))
      dapp = await openPeer(kind, { port: relay.port, folder: join(folder, 'dapp'), env: { IS_VITEST: 'true' } })
      wallet = await openHeadless({
        relays: [`ws://127.0.0.1:${relay.port}`],
        chain: createChain(),
        networks: testNetworks.map(network =>
          network.chainId === 31337 ? { ...network, rpcUrls: [chain.url] } : network,
        ),
      })
      await wallet.ui.addAccount({ name: 'Second' })
      await wallet.ui.selectAccount({ address: ADDRESS })
    })
    afterAll(async () => {
      wallet.drop()
      await dapp.dispose()
      await relay.stop()
      await chain.stop()
      await rm(folder, { recursive: true })
    })

    /** Ends all sessions. Each test has its own session, because peers receive the events of all their sessions. */
    const endAll = async () => {
      const { remote } = await wallet.state()
      await wallet.ui.disconnectAllSessions(null)
      for (const _ of remote.sessions) await dapp.next('delete')
    }
    const settle = async (): Promise<Session> => {
      await endAll()
      const { id } = await approveLink(wallet, await dapp.acts.connect(asked))
      const session = await dapp.next('session')
      expect(session.topic).toBe(id)
      return session
    }
    /** Sends a request. If the test fails, the request is rejected when the next test ends the session. */
    const ask = (session: Session, call: Call = signText) => {
      const answer = dapp.acts.request({ ...session, chainId: LOCAL, ...call })
      answer.catch(() => undefined)
      return answer
    }

    test('a session is settled, and its requests are shown correctly', async () => {
      const session = await settle()
      const answer = ask(session)
      const request = await decideNext(wallet, true)
      await expectTextSigned(answer)
      expect(request).toMatchObject({ method: 'personal_sign', account: { address: ADDRESS } })
      expect(request.peer).toMatchObject({
        name: 'A client',
        url: 'http://localhost',
        key: expect.stringMatching(/^[0-9a-f]{64}$/),
        session: session.topic,
        relay: `ws://127.0.0.1:${relay.port}`,
      })
    })

    test('typed data is signed, and a transaction is sent on the named chain', async () => {
      const session = await settle()
      const signed = ask(session, signMail)
      await decideNext(wallet, true)
      await expectMailSigned(signed)
      const sent = ask(session, send)
      const request = await decideNext(wallet, true)
      expect(request.network.chainId).toBe(31337)
      await expectSent(sent, chain.url)
    })

    test('a rejected request fails with 4001, a rejected proposal with 5000, an unsupported proposal with 5100', async () => {
      const session = await settle()
      const answer = dapp.acts.attempt({ ...session, chainId: LOCAL, ...signText })
      await decideNext(wallet, false)
      expect(await answer).toMatchObject({ error: { code: 4001 } })
      await wallet.ui.pair({ uri: await dapp.acts.connect(asked) })
      const { id } = await wallet.until(({ remote }) => remote.proposals[0])
      await wallet.ui.rejectProposal({ id })
      // ethereum-provider omits the error's code.
      const rejection = kind === 'ethereum-provider 2.21' ? { message: 'User rejected' } : { code: 5000 }
      expect(await dapp.next('rejection')).toMatchObject(rejection)
      await wallet.ui.pair({ uri: await dapp.acts.connect(askedTooMuch) })
      if (!PROVIDERS.has(kind)) expect(await dapp.next('rejection')).toMatchObject({ code: 5100 })
    })

    test('the peer gets changes of accounts, network and expiry, and both answer a ping', async () => {
      const session = await settle()
      const { topic } = session
      await wallet.ui.updateSession({ id: topic, accounts: [ADDRESS, SECOND] })
      const { namespaces } = await dapp.next('update')
      expect(namespaces.eip155?.accounts).toEqual([
        `${LOCAL}:${ADDRESS}`,
        `${LOCAL}:${SECOND}`,
        `eip155:1:${ADDRESS}`,
        `eip155:1:${SECOND}`,
      ])
      expect(await dapp.next('event')).toMatchObject({ name: 'accountsChanged', topic })
      await wallet.ui.selectNetwork({ chainId: 1 })
      expect(await dapp.next('event')).toMatchObject({ name: 'chainChanged', data: 1, topic })
      await wallet.ui.selectNetwork({ chainId: 31337 })
      expect(await dapp.next('event')).toMatchObject({ name: 'chainChanged', data: 31337, topic })
      await wallet.ui.extendSession({ id: topic })
      expect(await dapp.next('extend')).toEqual(session)
      await dapp.acts.ping(session)
      const before = Date.now()
      await wallet.ui.pingSession({ id: topic })
      await wallet.until(({ remote }) =>
        remote.sessions.some(({ id, lastSeen }) => id === topic && (lastSeen ?? 0) >= before),
      )
      await wallet.ui.updateSession({ id: topic, accounts: [ADDRESS] })
      await dapp.next('update')
      expect(await dapp.next('event')).toMatchObject({ name: 'accountsChanged' })
    })

    test('a stopped worker, a closed browser and a crashed relay lose no request and show none twice', async () => {
      const session = await settle()
      const first = ask(session)
      const { id } = await wallet.until(({ requests }) => requests[0])
      await wallet.restart('worker')
      expect((await wallet.until(({ requests }) => requests[0])).id).toBe(id)
      await wallet.ui.decide({ id, approve: true, revision: 0 })
      await expectTextSigned(first)

      wallet.drop()
      const second = ask(session)
      await wallet.restart('browser')
      await decideNext(wallet, true)
      await expectTextSigned(second)

      const third = ask(session)
      await wallet.until(({ requests }) => requests[0])
      await relay.restart('SIGKILL')
      await decideNext(wallet, true)
      await expectTextSigned(third)
      expect((await wallet.state()).requests).toEqual([])
    })

    test('either side ends a session', async () => {
      const first = await settle()
      await dapp.acts.disconnect(first)
      await wallet.until(({ remote }) => !remote.sessions.some(({ id }) => id === first.topic))
      const next = await settle()
      await wallet.ui.disconnectSession({ id: next.topic })
      expect(await dapp.next('delete')).toMatchObject(next)
      expect((await wallet.state()).remote.sessions).toEqual([])
    })
  })
}
