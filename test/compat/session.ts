/** A complete session of a dApp and a wallet: pairing, and a signed request. */
import { getBytes, hexlify, Wallet as Key, toUtf8Bytes, verifyMessage } from 'ethers'
import { expect } from 'vitest'
import {
  CHAIN,
  type Dapp,
  EVENTS,
  METHODS,
  type Namespaces,
  type Session,
  type V1,
  type Wallet,
} from './client-interfaces.ts'
import type { Peer } from './peer.ts'

export type Two = { dapp: Peer<Dapp>; wallet: Peer<Wallet> }

export const key = new Key(`0x${'46'.repeat(32)}`)
const words = 'Grüße an alle 👋'

export const namespacesOf = (...addresses: string[]): Namespaces => ({
  eip155: { accounts: addresses.map(address => `${CHAIN}:${address}`), methods: METHODS, events: EVENTS },
})

/** Proposes, pairs and approves. The link contains the method prefix that both use. */
export const settle = async ({ dapp, wallet }: Two, prefix: 'irn' | 'waku'): Promise<Session> => {
  const uri = await dapp.acts.connect()
  expect(new URL(uri).searchParams.get('relay-protocol')).toBe(prefix)
  await wallet.acts.pair(uri)
  const { id } = await wallet.next('proposal')
  const [approved, session] = await Promise.all([
    wallet.acts.approve({ id, namespaces: namespacesOf(key.address) }),
    dapp.next('session'),
  ])
  expect(approved).toEqual(session)
  return session
}

/** Sends the dApp's request for a signature of a text. */
export const request = ({ dapp }: Two, session: Session): Promise<unknown> =>
  dapp.acts.request({ ...session, method: 'personal_sign', params: [hexlify(toUtf8Bytes(words)), key.address] })

/** Signs the next request in the wallet. Returns a function that sends the response. */
export const sign = async ({ wallet }: Two): Promise<() => Promise<void>> => {
  const { id, topic, method, params } = await wallet.next('request')
  expect([method, params[1]]).toEqual(['personal_sign', key.address])
  const result = await key.signMessage(getBytes(`${params[0]}`))
  return () => wallet.acts.respond({ topic, id, result })
}

export const expectSigned = async (answer: Promise<unknown>): Promise<void> => {
  expect(verifyMessage(words, `${await answer}`)).toBe(key.address)
}

/** Sends a request, signs it and checks the response. */
export const exchange = async (two: Two, session: Session): Promise<void> => {
  const answer = request(two, session)
  const respond = await sign(two)
  await respond()
  await expectSigned(answer)
}

/** Completes a session of two v1 clients, with a signature. */
export const signOverV1 = async ({ dapp, wallet }: { dapp: Peer<V1>; wallet: Peer<V1> }): Promise<void> => {
  await wallet.acts.pair(await dapp.acts.connect())
  await wallet.next('proposal')
  const state = { accounts: [key.address], chainId: 1 }
  await wallet.acts.approve(state)
  expect(await dapp.next('state')).toEqual(state)
  const answer = dapp.acts.request({ method: 'personal_sign', params: [hexlify(toUtf8Bytes(words)), key.address] })
  const { id, params } = await wallet.next('request')
  await wallet.acts.respond({ id, result: await key.signMessage(getBytes(`${params[0]}`)) })
  await expectSigned(answer)
}
