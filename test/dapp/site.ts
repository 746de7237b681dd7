/**
 * The demo site: finds wallets by EIP-6963 and has a button for every signing and sending method. Shows each response
 * as JSON: the result, or an error's code and message.
 */
import { button, connectButtons, element, hexOf } from './page.ts'

type Provider = {
  request(request: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: () => void): unknown
}

type Receipt = { status: string; blockNumber: string; contractAddress: string | null }

const RECEIPT_POLL_MS = 300

/** Creation code of the ten bytes `602a60005260206000f3`, which store 42 and return it. */
const ANSWER_42 = '0x600a600c600039600a6000f3602a60005260206000f3'

const wallets = new Map<string, Provider>()
let account: string | undefined
let chainId: string | undefined
let signedTransaction: string | undefined

/** Actions by button. The name is the method, unless an action makes several calls. */
const actions: Record<string, () => Promise<unknown>> = {
  eth_requestAccounts: async () => {
    const accounts = await request('eth_requestAccounts')
    await refresh()
    return accounts
  },
  wallet_addEthereumChain: async () => {
    const added = await request('wallet_addEthereumChain', [localChain()])
    await refresh()
    return added
  },
  personal_sign: () => request('personal_sign', [messageHex(), account]),
  chain_sign: () => request('chain_sign', [account, messageHex()]),
  eth_sign: () => request('eth_sign', [account, messageHex()]),
  chain_signTypedData: () => request('chain_signTypedData', [account, invitation()]),
  eth_signTypedData_v4: () => request('eth_signTypedData_v4', [account, JSON.stringify(invitation())]),
  chain_sendTransaction: () => send(transfer()),
  chain_signTransaction: async () => {
    signedTransaction = String(await request('chain_signTransaction', [transfer()]))
    button('chain_sendRawTransaction').disabled = false
    return signedTransaction
  },
  chain_sendRawTransaction: async () => withReceipt(await request('chain_sendRawTransaction', [signedTransaction])),
  deploy: () => send({ from: account, data: ANSWER_42 }),
}

function request(method: string, params: unknown[] = []): Promise<unknown> {
  const provider = wallets.get(element('wallet', HTMLSelectElement).value)
  if (!provider) throw new Error('No wallet was found in this browser.')
  return provider.request({ method, params })
}

async function send(transaction: unknown) {
  return withReceipt(await request('chain_sendTransaction', [transaction]))
}

/** Waits until the transaction is mined. If it created a contract, also reads the contract's code from the chain. */
async function withReceipt(hash: unknown) {
  for (;;) {
    const receipt = (await request('eth_getTransactionReceipt', [hash])) as Receipt | null
    if (receipt) {
      const { status, blockNumber, contractAddress } = receipt
      const code = contractAddress && (await request('eth_getCode', [contractAddress, 'latest']))
      return { hash, status, blockNumber, contractAddress, code }
    }
    await new Promise(resolve => setTimeout(resolve, RECEIPT_POLL_MS))
  }
}

function messageHex(): string {
  return hexOf(element('message', HTMLTextAreaElement).value)
}

/** Returns the parameters of EIP-3085 that add the local chain. */
function localChain() {
  return {
    chainId: '0x7a69',
    chainName: 'Local chain',
    rpcUrls: [button('wallet_addEthereumChain').dataset.node],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  }
}

function transfer() {
  const { value: to } = element('to', HTMLInputElement)
  return { from: account, to, data: '0x', value: weiHex(element('ether', HTMLInputElement).value) }
}

/** Converts an amount of ether such as `0.01` to wei as a hex quantity. */
function weiHex(ether: string): string {
  const [whole = '', fraction = ''] = ether.trim().split('.')
  return `0x${BigInt(whole + fraction.padEnd(18, '0')).toString(16)}`
}

function invitation() {
  return {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Guest: [
        { name: 'name', type: 'string' },
        { name: 'wallet', type: 'address' },
      ],
      Invitation: [
        { name: 'host', type: 'Guest' },
        { name: 'guests', type: 'Guest[]' },
        { name: 'place', type: 'string' },
      ],
    },
    primaryType: 'Invitation',
    domain: {
      name: 'Lighthouse',
      version: '1',
      chainId: Number(chainId),
      verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    },
    message: {
      host: { name: 'Ada', wallet: account },
      guests: [{ name: 'Grace', wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }],
      place: element('message', HTMLTextAreaElement).value,
    },
  }
}

/** Reads account and chain without asking the user. */
async function refresh() {
  const accounts = (await request('eth_accounts')) as string[]
  account = accounts[0]
  chainId = (await request('eth_chainId')) as string
  element('account', HTMLElement).textContent = account ?? 'not connected'
  element('chain', HTMLElement).textContent = `${Number(chainId)} (${chainId})`
}

function addWallet(id: string, name: string, provider: Provider) {
  if (wallets.has(id)) return
  wallets.set(id, provider)
  element('wallet', HTMLSelectElement).add(new Option(name, id))
  for (const event of ['accountsChanged', 'chainChanged']) provider.on?.(event, refresh)
  if (wallets.size === 1) refresh()
}

window.addEventListener('eip6963:announceProvider', event => {
  const { info, provider } = (event as CustomEvent<{ info: { uuid: string; name: string }; provider: Provider }>).detail
  addWallet(info.uuid, info.name, provider)
})
window.dispatchEvent(new Event('eip6963:requestProvider'))

const injected = (window as { ethereum?: Provider }).ethereum
if (wallets.size === 0 && injected) addWallet('injected', 'window.ethereum', injected)

connectButtons(actions)
element('wallet', HTMLSelectElement).addEventListener('change', refresh)
