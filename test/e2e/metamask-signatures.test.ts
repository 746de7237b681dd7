/**
 * MetaMask's test site: connecting, permissions, networks, and every button that signs or sends an unsupported request.
 */
import { getBytes, verifyMessage, verifyTypedData } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RequestView } from '../../extension/src/messages.ts'
import { OTHER, OTHER_CHAIN } from '../libraries/values.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { type MetaMaskSite, startMetaMaskSite } from './metamask-site.ts'
import { ADDRESS, decide, startOwner } from './person.ts'
import { callWallet } from './wallet-page.ts'

const LOWER = ADDRESS.toLowerCase()
const SIGNATURE = /^0x[0-9a-f]{130}$/

/** The address that the site uses as the node of its second network. */
const OTHER_NODE = '127.0.0.1:8546'

let other: Anvil
let site: MetaMaskSite

beforeAll(async () => {
  other = await startAnvil({ chainId: OTHER_CHAIN })
  site = await startMetaMaskSite(await startOwner({ hosts: [`MAP ${OTHER_NODE} ${new URL(other.url).host}`] }))
})
afterAll(async () => {
  await site?.stop()
  await other?.stop()
})

/** Presses the button and approves. Returns the request that the wallet showed. */
const approve = async (button: string): Promise<RequestView> => {
  const window = await site.person.approval(() => site.press(button))
  const { requests } = (await callWallet(site.home, 'getState', null)).result
  await decide(window, 'Approve')
  const [request] = requests
  if (!request) throw new Error(`${button} sent no request`)
  return request
}

/** Like `approve`. Also returns the signature that the site shows. */
const signed = async (button: string, result: string) => {
  const request = await approve(button)
  return { request, signature: await site.shows(result, SIGNATURE) }
}

/** Clears an output of the site. */
const clear = (result: string) => site.page.locator(`#${result}`).evaluate(output => output.replaceChildren())

test('the site finds the wallet by EIP-6963 and connects', async () => {
  await site.shows('activeProviderName', 'Heliograph')
  await site.shows('network', '31337')
  await site.shows('chainId', '0x7a69')
  await site.ask('connectButton', 'Reject')
  await site.shows('accounts', '')
  await site.ask('connectButton', 'Connect')
  await site.shows('accounts', LOWER)
  await site.press('getAccounts')
  await site.shows('getAccountsResult', LOWER)
})

test('personal_sign, with the signer that the site and the wallet recover', async () => {
  const { signature } = await signed('personalSign', 'personalSignResult')
  expect(verifyMessage('Example `personal_sign` message', signature)).toBe(ADDRESS)
  await site.press('personalSignVerify')
  await site.shows('personalSignVerifySigUtilResult', LOWER)
  await site.shows('personalSignVerifyECRecoverResult', LOWER)
})

test('eth_sign signs a message, not a bare hash', async () => {
  await site.ask('ethSign', 'Approve')
  const shown = await site.shows('ethSignResult', /^"0x[0-9a-f]{130}"$/)
  const hash = getBytes('0x879a053d4800c6354e76c7985a865d2922c82fb5b3f4577b2fe08b998954f2e0')
  expect(verifyMessage(hash, JSON.parse(shown))).toBe(ADDRESS)
})

test('typed data of all versions and a permit, verified by the site', async () => {
  for (const button of ['signTypedData', 'signTypedDataV3', 'signTypedDataV4', 'signPermit']) {
    await signed(button, `${button}Result`)
    await site.press(`${button}Verify`)
    await site.shows(`${button}VerifyResult`, LOWER)
  }
})

/** Recovers the signer of a typed data request. */
const signerOf = ({ effect }: RequestView, signature: string): string => {
  const { domain, types, message } = JSON.parse(effect.kind === 'typedData' ? effect.json : '{}')
  const { EIP712Domain: _, ...structs } = types
  return verifyTypedData(domain, structs, message, signature)
}

test('orders and permits of well-known applications', async () => {
  // The site's bulk order has a field that its types do not declare.
  for (const button of ['signBlurOrder', 'signPermitSingle', 'signSeaportBulkOrder']) {
    const { request, signature } = await signed(button, 'signPermitVariantResult')
    expect(signerOf(request, signature), button).toBe(ADDRESS)
    await clear('signPermitVariantResult')
  }
})

test('harmful orders and permits are signed if the user confirms, and an invalid address is rejected', async () => {
  for (const button of [
    'maliciousPermit',
    'maliciousTradeOrder',
    'maliciousSeaport',
    'maliciousPermitHexPaddedChain',
  ]) {
    const logged = site.page.waitForEvent('console', message => SIGNATURE.test(message.text()))
    const request = await approve(button)
    expect(signerOf(request, (await logged).text()), button).toBe(ADDRESS)
  }
  const failed = site.page.waitForEvent('pageerror')
  await site.press('maliciousPermitIntAddress')
  expect((await failed).message).toMatch(/^domain\.verifyingContract: .* is not an address: 0x and 40 hex digits$/)
})

test('typed data with an undeclared field in the domain is rejected', async () => {
  await site.press('signPermitBatch')
  const error = 'domain: "version" is not a field of EIP712Domain and would not be signed'
  await site.shows('signPermitVariantResult', `Error: ${error}`)
})

test('malformed typed data is rejected with specific errors', async () => {
  for (const [button, error] of [
    [
      'signInvalidType',
      'types.OrderComponents[0].type: "ConsiderationItem[+" is neither a built-in type nor defined in types',
    ],
    ['signEmptyDomain', 'domain.name: undefined is not a value of type string'],
    ['signInvalidPrimaryType', 'primaryType: "Non-Existent" is not the name of a struct in types'],
    ['signNoPrimaryTypeDefined', 'primaryType: undefined is not the name of a struct in types'],
    ['signInvalidVerifyingContractType', 'domain.verifyingContract: 1 is not an address: 0x and 40 hex digits'],
  ] as const) {
    await site.press(button)
    expect(await site.shows('signMalformedResult', /^Error: /), button).toBe(`Error: ${error}`)
    await clear('signMalformedResult')
  }
})

test('signing in with Ethereum', async () => {
  for (const button of ['siwe', 'siweResources']) {
    const { request, signature } = await signed(button, 'siweResult')
    const { bytes } = request.effect.kind === 'message' ? request.effect : { bytes: '0x' }
    expect(Buffer.from(bytes.slice(2), 'hex').toString()).toContain(`${new URL(site.url).host} wants you to sign in`)
    expect(verifyMessage(getBytes(bytes), signature), button).toBe(ADDRESS)
    await clear('siweResult')
  }
})

test('signing in to another site is rejected without asking the user', async () => {
  await site.press('siweBadDomain')
  await site.shows(
    'siweResult',
    /^Error: The message signs in to "metamask\.badactor\.io", but the request comes from http/,
  )
  await clear('siweResult')
})

test('signing in with another account, or with a malformed message, is left to the user', async () => {
  for (const button of ['siweBadAccount', 'siweMalformed']) {
    await site.ask(button, 'Reject')
    await site.shows('siweResult', 'Error: The request was rejected')
    await clear('siweResult')
  }
})

test('encryption keys and decryption are unsupported', async () => {
  await site.press('getEncryptionKeyButton')
  await site.shows('encryptionKeyDisplay', 'Error: This wallet does not support this method')
  expect(await site.request('eth_decrypt', ['0x00', LOWER])).toBe('This wallet does not support this method')
})

test('permissions are requested, read and revoked', async () => {
  await site.press('getPermissions')
  await site.shows('permissionsResult', 'eth_accounts')
  await site.press('revokeAccountsPermission')
  await site.shows('accounts', '')
  await site.press('getPermissions')
  await site.shows('permissionsResult', 'No permissions found.')
  await site.ask('requestPermissions', 'Connect')
  await site.shows('permissionsResult', 'eth_accounts')
  await site.shows('accounts', LOWER)
})

test('batches: capabilities are returned, and atomic execution is unsupported', async () => {
  await site.press('eip5792GetCapabilitiesButton')
  const capabilities = JSON.parse(await site.shows('eip5792GetCapabilitiesResult', /^\{/))
  expect(capabilities).toMatchObject({ '0x7a69': { atomic: { status: 'unsupported' } } })
  await site.press('eip5792SendCallsButton')
  const refusal = 'Error: The calls would be sent one after the other, not atomically'
  await site.shows('eip5792SendCallsError', refusal)
  await site.page.locator('#eip5792RequestIdInput').fill('0x01')
  await site.press('eip5792GetCallsStatusButton')
  await site.shows('eip5792GetCallsStatusResult', 'Error: There is no batch of calls with this id')
})

test('a network is added, a switch to it needs no approval, and other networks are unknown or rejected', async () => {
  await site.ask('addEthereumChain', 'Approve')
  await site.shows('chainId', '0x53a')
  await site.shows('network', '1338')
  // The site already uses this network, so the wallet shows no request.
  await site.press('switchEthereumChain')
  expect(await site.request('eth_getBalance', [OTHER, 'latest'])).toBe('Response: "0x21e19e0c9bab2400000"')

  const pick = async (name: string) => {
    await site.press('openNetworkPicker')
    await site.page.locator('.network-modal-item', { hasText: name }).first().click()
  }
  await pick('Linea')
  await site.page.getByText('Linea is not available in your wallet').waitFor()
  await decide(await site.person.approval(() => pick('Ethereum Mainnet')), 'Reject')
  await site.page.getByText('Failed to switch network').waitFor()
  await site.shows('chainId', '0x53a')
})

test('no remote host was reached', () => {
  expect(site.reached).toEqual([])
})
