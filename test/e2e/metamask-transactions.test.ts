/** MetaMask's test site: every button that sends a transaction, with the results on the chain. */

import contracts from '@metamask/test-dapp/dist/constants.json' with { type: 'json' }
import { Contract, getAddress, type InterfaceAbi } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MetaMaskSite, startMetaMaskSite } from './metamask-site.ts'
import { ADDRESS, decide, startPerson } from './person.ts'
import { callWallet } from './wallet-page.ts'

const LOWER = ADDRESS.toLowerCase()
/** The site's recipient and spender. */
const PAYEE = '0x0c54FcCd2e384b4BB6f2E405Bf5Cbc15a017AaFb'
const RECEIVER = '0x2f318C334780961FB129D2a6c30D0763d9a5C970'
const SPENDER = '0x9bc5baF874d2DA8D216aE9f137804184EE5AfEF4'
const ETHER = 10n ** 18n

let site: MetaMaskSite
const at = (address: string, abi: unknown) => {
  const contract = new Contract(address, abi as InterfaceAbi, site.chain)
  return (name: string, ...args: unknown[]): Promise<unknown> => contract.getFunction(name)(...args)
}

beforeAll(async () => {
  site = await startMetaMaskSite(await startPerson())
  await site.ask('connectButton', 'Connect')
})
afterAll(() => site?.stop())

test('the site connects', async () => {
  await site.shows('accounts', LOWER)
})

test('currency is sent with each transaction type, with and without a gas limit', async () => {
  const all = await site.sendAll(['sendButton', 'sendEIP1559Button', 'sendEIP1559WithoutGasButton'])
  expect(all.map(({ type }) => type).toSorted()).toEqual([0, 2, 2])
  for (const { receipt, ...sent } of all) {
    expect(sent).toMatchObject({ to: PAYEE, from: ADDRESS, value: 0n })
    expect(receipt).toMatchObject({ status: 1 })
  }
})

test('the form sends its values', async () => {
  const fill = (field: string, value: string) => site.page.locator(`#${field}`).fill(value)
  await fill('toInput', PAYEE)
  await fill('amountInput', '0x7')
  await fill('gasInput', '0x2540be400')
  await fill('dataInput', '0x')
  const legacy = await site.send('submitForm')
  expect(legacy.receipt).toMatchObject({ status: 1, to: PAYEE, type: 0 })
  expect([legacy.value, legacy.gasPrice]).toEqual([7n, 10n ** 10n])

  await site.page.locator('#typeInput').selectOption('0x2')
  await fill('maxFeeInput', '0x2540be400')
  await fill('maxPriorityFeeInput', '0x3b9aca00')
  const market = await site.send('submitForm')
  expect(market.receipt).toMatchObject({ status: 1, to: PAYEE, type: 2 })
  expect([market.maxFeePerGas, market.maxPriorityFeePerGas]).toEqual([10n ** 10n, 10n ** 9n])
})

test('a contract is deployed, receives currency and returns it', async () => {
  const { receipt } = await site.send('deployButton')
  await site.shows('contractStatus', 'Deployed')
  const bank = String(receipt.contractAddress)
  await site.send('depositButton')
  await site.shows('contractStatus', 'Deposit completed')
  expect(await site.chain.getBalance(bank)).toBe(4n * ETHER)
  await site.send('withdrawButton')
  await site.shows('contractStatus', 'Withdrawn')
  expect(await site.chain.getBalance(bank)).toBe(3n * ETHER)
})

test('a failing transaction is sent if the user confirms', async () => {
  await site.send('deployFailingButton')
  await site.shows('failingContractStatus', 'Deployed')
  const { receipt } = await site.send('sendFailingButton')
  expect(receipt).toMatchObject({ status: 0 })
  await site.shows('failingContractStatus', 'Failed transaction process completed as expected.')
})

test('currency is sent to a contract with too little gas, and large data without a recipient', async () => {
  await site.send('deployMultisigButton')
  await site.shows('multisigContractStatus', 'Deployed')
  expect((await site.send('sendMultisigButton')).receipt).toMatchObject({ status: 0 })
  await site.shows('multisigContractStatus', 'Transaction completed as expected.')
  const heavy = await site.send('sendHeavyHexDataButton')
  expect(heavy.data).toBe(contracts.heavyCallData)
  expect(heavy.receipt).toMatchObject({ status: 1 })
})

test('ERC-20: deployed, transferred, approved and watched', async () => {
  const { receipt } = await site.send('createToken')
  const token = getAddress(await site.shows('erc20TokenAddresses', /^0x/))
  expect(token).toBe(receipt.contractAddress)
  const read = at(token, contracts.hstAbi)
  const UNIT = 10n ** 4n
  expect(await read('balanceOf', ADDRESS)).toBe(10n * UNIT)

  await site.sendAll(['transferTokens', 'transferTokensWithoutGas', 'approveTokens', 'approveTokensWithoutGas'])
  await site.send('increaseTokenAllowance')
  expect(await read('balanceOf', RECEIVER)).toBe(3n * UNIT)
  expect(await read('allowance', ADDRESS, SPENDER)).toBe(8n * UNIT)
  expect(await read('allowance', ADDRESS, RECEIVER)).toBe(7n * UNIT)
  await site.page.locator('#allowanceOwner').fill(ADDRESS)
  await site.page.locator('#allowanceSpender').fill(SPENDER)
  await site.press('getAllowance')
  await site.shows('allowanceAmountResult', '8.0000')

  await site.ask('watchAssets', 'Approve')
  await site.page.locator('#eip747ContractAddress').fill(token)
  await site.page.locator('#eip747Symbol').fill('WRONG')
  await site.page.locator('#eip747Decimals').fill('4')
  await site.press('eip747WatchButton')
  await site.shows('eip747Status', /^There was an error/)
  await site.page.locator('#eip747Symbol').fill('TST')
  await site.ask('eip747WatchButton', 'Approve')
  await site.shows('eip747Status', 'NFT added successfully')
  const { assets } = (await callWallet(site.home, 'getState', null)).result
  expect(assets).toEqual([{ chainId: 31337, address: token, symbol: 'TST', decimals: 4 }])
})

test('ERC-721: deployed, minted, approved singly and for all, transferred', async () => {
  const { receipt } = await site.send('deployNFTsButton')
  const read = at(String(receipt.contractAddress), contracts.nftsAbi)
  await site.shows('nftsStatus', 'Deployed')
  await site.page.locator('#mintAmountInput').fill('2')
  for (const [button, status] of [
    ['mintButton', 'Mint completed'],
    ['approveButton', 'Approve completed'],
    ['setApprovalForAllButton', 'Set Approval For All completed'],
  ] as const) {
    await site.send(button)
    await site.shows('nftsStatus', status)
  }
  expect(await read('getApproved', 1)).toBe(SPENDER)
  expect(await read('isApprovedForAll', ADDRESS, SPENDER)).toBe(true)
  await site.sendAll(['revokeButton', 'transferFromButton'])
  expect(await read('isApprovedForAll', ADDRESS, SPENDER)).toBe(false)
  expect([await read('ownerOf', 1), await read('ownerOf', 2)]).toEqual([RECEIVER, ADDRESS])

  // The site's spender address has a typo, so its checksum is wrong. Other libraries would not hash it either.
  await site.press('sign721Permit')
  const spender = '"0x0521797E19b8E274E4ED3bFe5254FAf6fac96F08"'
  await site.shows('sign721PermitResult', `Error: message.spender: ${spender} has a wrong EIP-55 checksum`)
})

test('ERC-1155: deployed, minted, approved, transferred', async () => {
  const { receipt } = await site.send('deployERC1155Button')
  const read = at(String(receipt.contractAddress), contracts.erc1155Abi)
  await site.shows('erc1155Status', 'Deployed')
  for (const [field, values] of [
    ['batchMintTokenIds', '1, 2'],
    ['batchMintIdAmounts', '10, 20'],
    ['batchTransferTokenIds', '1, 2'],
    ['batchTransferTokenAmounts', '3, 4'],
  ] as const)
    await site.page.locator(`#${field}`).fill(values)
  await site.send('batchMintButton')
  await site.sendAll(['batchTransferFromButton', 'setApprovalForAllERC1155Button'])
  expect([await read('balanceOf', RECEIVER, 1), await read('balanceOf', ADDRESS, 2)]).toEqual([3n, 16n])
  expect(await read('isApprovedForAll', ADDRESS, SPENDER)).toBe(true)
  await site.send('revokeERC1155Button')
  expect(await read('isApprovedForAll', ADDRESS, SPENDER)).toBe(false)
})

test('other asset types are rejected', async () => {
  for (const [button, error] of [
    ['watchNFTButton', 'params.type: must be ERC20'],
    // For this button, the site uses the legacy batch call without a callback.
    ['watchNFTsButton', 'sendAsync takes a payload and a callback'],
    ['watchAssetButton', 'params.type: must be ERC20'],
  ] as const) {
    const complained = site.page.waitForEvent('console', message => message.text().includes(error))
    await site.press(button)
    await complained
  }
  for (const type of ['ERC721', 'ERC1155'])
    expect(await site.request('wallet_watchAsset', { type, options: { address: SPENDER, tokenId: '1' } })).toBe(
      'params.type: must be ERC20, the only asset type that this wallet supports',
    )
})

test('malformed transactions are rejected with specific errors', async () => {
  for (const [button, error] of [
    ['sendWithInvalidValue', 'value: must be 0x and hex digits of at most 256 bits'],
    ['sendWithInvalidTxType', 'type: must be 0x0, 0x1 or 0x2'],
    [
      'sendWithInvalidRecipient',
      'to: must be an address: 0x and 40 hex digits, in mixed case with the right EIP-55 checksum',
    ],
    ['sendWithInvalidGasLimit', 'gasLimit: must be 0x and hex digits of at most 256 bits'],
    ['sendWithInvalidMaxFeePerGas', 'maxFeePerGas: must be 0x and hex digits of at most 256 bits'],
  ] as const) {
    await site.press(button)
    expect(await site.shows('sendMalformedResult', /^Error: /), button).toBe(`Error: params[0].${error}`)
    await site.page.locator('#sendMalformedResult').evaluate(output => output.replaceChildren())
  }
})

test('malformed values are rejected, although other wallets repair them', async () => {
  for (const [button, error] of [
    ['maliciousSendWithOddHexData', 'data: must be DATA: 0x and an even number of hex digits'],
    ['maliciousSendWithoutHexPrefixValue', 'value: must be 0x and hex digits of at most 256 bits'],
  ] as const) {
    await site.press(button)
    expect(await site.shows('maliciousWarningBypassResult', /^Error: /), button).toBe(`Error: params[0].${error}`)
    await site.page.locator('#maliciousWarningBypassResult').evaluate(output => output.replaceChildren())
  }
})

test('sequential requests: each is shown after the previous one is complete', async () => {
  const first = await site.person.approval(() => site.press('sendEIP1559Queue'))
  const second = await site.person.approval(() => decide(first, 'Approve'))
  const third = site.person.approval(() => decide(second, 'Reject'))
  await (await third).getByRole('button', { name: 'Reject', exact: true }).waitFor()
  await site.page.reload()
})

test('ten concurrent requests share a window: one is approved, the others are rejected together', async () => {
  const nonce = await site.chain.getTransactionCount(ADDRESS)
  const window = await site.person.approval(() => site.press('sendEIP1559Batch'))
  await window.getByRole('button', { name: 'Show all requests, 1 of 10', exact: true }).waitFor()
  await window.getByRole('button', { name: 'Approve', exact: true }).click()
  await window.getByRole('button', { name: 'Show all requests, 1 of 9', exact: true }).click()
  const closed = window.waitForEvent('close')
  await Promise.all([
    closed,
    window
      .getByRole('button', { name: 'Reject all', exact: true })
      .click()
      .catch(() => undefined),
  ])
  await expect.poll(() => site.chain.getTransactionCount(ADDRESS)).toBe(nonce + 1)
})

test('no remote host was reached', () => {
  expect(site.reached).toEqual([])
})
