/** Addresses in the checksum that Rootstock's explorers and sites use: https://eips.ethereum.org/EIPS/eip-1191 */

import { type Address, toChainCase } from '@heliograph/shared/evm/address'
import { getAddress, Transaction, verifyMessage, verifyTypedData } from 'ethers'
import { describe, expect, test } from 'vitest'
import type { RequestView } from '../../messages.ts'
import { localChain } from '../networks/networks.fixture.ts'
import { ADDRESS, recordingWallet, startNode } from '../wallet.fixture.ts'

/** An address with chain 30's checksum, and with EIP-55's. */
const T = '0x00a1B2C3D4e5f60718293a4B5c6D7e8f90ABcdef'
const PLAIN = getAddress(T.toLowerCase()) as Address

const start = async (chainId: number) => {
  const node = startNode()
  const others = [1, 30, 31].filter(other => other !== chainId)
  const networks = [chainId, ...others].map(each => ({ ...localChain, chainId: each, title: `Chain ${each}` }))
  const { wallet, ...headless } = await recordingWallet({ chain: node.chain, networks })
  return { ...headless, ui: wallet.ui, sent: node.sent }
}

const batch = (chainId: number, from: string, to: string) => ({
  ...{ version: '2.0.0', from, chainId: `0x${chainId.toString(16)}`, atomicRequired: false },
  calls: [{ to }],
})
const typed = (wallet: string, text = T) => ({
  types: {
    EIP712Domain: [{ name: 'verifyingContract', type: 'address' }],
    Mail: [
      { name: 'wallet', type: 'address' },
      { name: 'text', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: { verifyingContract: wallet },
  message: { wallet, text },
})

/** Returns the effects that were shown, except for the nonces, which increase. */
const effectsOf = (seen: readonly RequestView[]) => seen.map(({ effect }) => ({ ...effect, nonces: null }))

/** Changes the case of the address's first letter. */
const miscased = (address: string) => {
  const at = address.search(/[a-f]/i)
  const letter = address.charAt(at)
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  return `${address.slice(0, at)}${other}${address.slice(at + 1)}`
}

/** All methods for sites that read an address, with the account and another address. */
const REQUESTS: Record<string, (account: string, other: string, chainId: number) => [method: string, ...unknown[]]> = {
  eth_sendTransaction: (from, to) => ['eth_sendTransaction', { from, to }],
  'eth_sendTransaction with an access list': (from, address) => [
    'eth_sendTransaction',
    { from, to: from, accessList: [{ address, storageKeys: [] }] },
  ],
  eth_signTransaction: (from, to) => ['eth_signTransaction', { from, to, nonce: '0x0' }],
  wallet_sendCalls: (from, to, chainId) => ['wallet_sendCalls', batch(chainId, from, to)],
  personal_sign: account => ['personal_sign', 'hello', account],
  eth_sign: account => ['eth_sign', account, 'hello'],
  eth_signTypedData: (account, other) => ['eth_signTypedData', account, typed(other)],
  eth_signTypedData_v3: (account, other) => ['eth_signTypedData_v3', account, JSON.stringify(typed(other))],
  eth_signTypedData_v4: (account, other) => ['eth_signTypedData_v4', account, typed(other)],
  'eth_signTypedData of version 1': (account, other) => [
    'eth_signTypedData',
    [{ type: 'address', name: 'wallet', value: other }],
    account,
  ],
  wallet_watchAsset: (_, address) => [
    'wallet_watchAsset',
    { type: 'ERC20', options: { address, symbol: 'RIF', decimals: 18 } },
  ],
  wallet_requestPermissions: account => [
    'wallet_requestPermissions',
    { eth_accounts: { caveats: [{ type: 'restrictReturnedAccounts', value: [account] }] } },
  ],
  wallet_getCapabilities: account => ['wallet_getCapabilities', account],
}

for (const chainId of [30, 31])
  describe(`on chain ${chainId}`, () => {
    for (const [name, request] of Object.entries(REQUESTS))
      test(`${name} accepts addresses with the chain's checksum as well as with EIP-55's`, async () => {
        const { ask, seen } = await start(chainId)
        const told = await ask(...request(ADDRESS, PLAIN, chainId))
        const first = effectsOf(seen.splice(0))
        const again = await ask(...request(toChainCase(ADDRESS, chainId), toChainCase(PLAIN, chainId), chainId))
        expect(effectsOf(seen)).toEqual(first)
        if (name.includes('ign')) expect(again).toBe(told)
      })

    test('the transaction is sent to the address, with either checksum', async () => {
      const { ask, sent } = await start(chainId)
      for (const to of [toChainCase(PLAIN, chainId), PLAIN, T.toLowerCase()])
        await ask('eth_sendTransaction', { from: ADDRESS, to })
      expect(sent.map(raw => Transaction.from(raw).to)).toEqual([PLAIN, PLAIN, PLAIN])
    })

    test("another chain's checksum, and a wrong one, are refused", async () => {
      const { ask, shown } = await start(chainId)
      const other = toChainCase(PLAIN, chainId === 30 ? 31 : 30)
      for (const to of [other, miscased(toChainCase(PLAIN, chainId))])
        for (const [name, request] of Object.entries(REQUESTS))
          if (!/personal_sign|eth_sign$|Capabilities|Permissions/.test(name))
            await expect(ask(...request(ADDRESS, to, chainId)), name).rejects.toMatchObject({ code: -32602 })
      expect(shown).toEqual([])
    })

    test('an address in a text is signed as written', async () => {
      const { ask } = await start(chainId)
      const { types, domain, message } = typed(PLAIN, toChainCase(PLAIN, chainId))
      const { Mail } = types
      const data = typed(toChainCase(PLAIN, chainId), toChainCase(PLAIN, chainId))
      const signature = String(await ask('eth_signTypedData_v4', toChainCase(ADDRESS, chainId), data))
      expect(verifyTypedData(domain, { Mail }, message, signature)).toBe(ADDRESS)
      const text = `to ${toChainCase(PLAIN, chainId)}`
      expect(verifyMessage(text, String(await ask('personal_sign', text, ADDRESS)))).toBe(ADDRESS)
    })

    test("a recipient, a token, an interface and a contact are accepted with the chain's checksum", async () => {
      const { ui } = await start(chainId)
      const address = toChainCase(PLAIN, chainId)
      for (const text of [address, ` ${address}\n`, `eip155:${chainId}:${address}`, `ethereum:${address}@${chainId}`])
        expect(await ui.reviewAddress({ address: text, chainId })).toMatchObject({ address: PLAIN })
      const sending = { from: ADDRESS, chainId, to: address, token: null, amount: '0x1' }
      expect((await ui.reviewSend(sending)).effect).toMatchObject({ to: PLAIN })
      await ui.saveContact({ address, name: 'Mira' })
      await ui.addWatchOnly({ address, name: 'Watched' })
      expect(await ui.getState(null)).toMatchObject({ contacts: [{ address: PLAIN }] })
      for (const other of [1, chainId === 30 ? 31 : 30])
        await expect(ui.reviewAddress({ address, chainId: other })).rejects.toMatchObject({ reason: 'wrongChecksum' })
    })
  })

test("a log filter's address and a sign-in's address are accepted with the chain's checksum", async () => {
  const { ask, seen } = await start(30)
  await expect(ask('eth_subscribe', 'logs', { address: [miscased(T)] })).rejects.toMatchObject({ code: -32602 })
  for (const address of [T, [T, PLAIN]]) {
    const subscribing = ask('eth_subscribe', 'logs', { address })
    // The params are accepted: the wallet parses them before it detects that this page cannot receive events (4200).
    await expect(subscribing).rejects.toMatchObject({ code: 4200 })
  }
  const own = toChainCase(ADDRESS, 30)
  const lines = [`${own}\n\nHello\n`, 'URI: https://site.example', 'Version: 1', 'Chain ID: 30', 'Nonce: 12345678']
  const date = 'Issued At: 2023-11-14T22:13:20.000Z'
  const text = ['site.example wants you to sign in with your Ethereum account:', ...lines, date].join('\n')
  expect(verifyMessage(text, String(await ask('personal_sign', text, own)))).toBe(ADDRESS)
  expect(seen[0]?.findings.filter(({ level }) => level === 'danger' || level === 'blocked')).toEqual([])
  expect(seen[0]?.findings.map(({ name }) => name)).not.toContain('signInOtherAccount')
})

test("chain 30's checksum is refused on chain 1", async () => {
  const { ask, shown } = await start(1)
  for (const [name, request] of Object.entries(REQUESTS))
    if (!/personal_sign|eth_sign$|Capabilities|Permissions/.test(name))
      await expect(ask(...request(ADDRESS, T, 1)), name).rejects.toMatchObject({ code: -32602 })
  expect(shown).toEqual([])
})

test("calls and tokens for another chain use that chain's checksum, not the checksum of the site's chain", async () => {
  const { ask, seen } = await start(1)
  await ask('wallet_sendCalls', batch(30, ADDRESS, T))
  const options = { address: T, symbol: 'RIF', decimals: 18, chainId: 30 }
  await ask('wallet_watchAsset', { type: 'ERC20', options })
  expect(seen).toMatchObject([{ effect: { calls: [{ to: PLAIN }] } }, { effect: { address: PLAIN } }])
  for (const wrong of [batch(1, ADDRESS, T), batch(31, ADDRESS, T)])
    await expect(ask('wallet_sendCalls', wrong)).rejects.toMatchObject({ code: -32602 })
})
