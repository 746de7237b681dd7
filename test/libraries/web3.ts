/** Actions of a site built on web3.js 4. */
import { type Contract, type ContractAbi, type SupportedProviders, Web3 } from 'web3'
import type { Actions } from './actions.ts'
import { BYTES, LETTER_AS_JSON, MESSAGE, OTHER, OTHER_CHAIN, TOKEN, TRANSFER, VALUE } from './values.ts'

const typedData = LETTER_AS_JSON as unknown as Parameters<Web3['eth']['signTypedData']>[1]

/** `otherNode` is the RPC URL of a network that the wallet does not know. */
export const web3Actions = (otherNode: string): Actions => {
  const { ethereum } = window as unknown as { ethereum: SupportedProviders }
  const web3 = new Web3(ethereum)

  let account: string
  let token: Contract<ContractAbi>
  let signed: string
  const blocks: unknown[] = []

  return {
    connect: async () => {
      const [first] = await web3.eth.requestAccounts()
      account = String(first)
      return account
    },
    accounts: () => web3.eth.getAccounts(),
    'chain id': () => web3.eth.getChainId(),
    // web3.js also sends a password, which the wallet ignores.
    'sign text': () => web3.eth.personal.sign(MESSAGE, account, 'password'),
    'sign bytes': () => web3.eth.personal.sign(BYTES, account, 'password'),
    'recover text': async () =>
      web3.eth.personal.ecRecover(MESSAGE, await web3.eth.personal.sign(MESSAGE, account, '')),
    'sign the old way': () => web3.eth.sign(web3.utils.utf8ToHex(MESSAGE), account),
    'sign typed data': () => web3.eth.signTypedData(account, typedData),
    'sign typed data the old way': () => web3.eth.signTypedData(account, typedData, true),
    'sign transaction': async () => {
      const transaction = { from: account, to: OTHER, value: `0x${VALUE.toString(16)}` }
      const { raw } = await web3.eth.signTransaction(transaction)
      signed = String(raw)
      return signed
    },
    'send signed': async () => web3.eth.sendSignedTransaction(signed),
    send: async () => {
      const told: string[] = []
      const sending = web3.eth.sendTransaction({ from: account, to: OTHER, value: VALUE })
      for (const event of ['transactionHash', 'receipt'] as const) sending.once(event, () => void told.push(event))
      const { transactionHash } = await sending
      return { transactionHash, told }
    },
    'deploy token': async () => {
      const contract = new web3.eth.Contract(TOKEN.abi as ContractAbi)
      const { abi: _, ...code } = TOKEN
      token = await contract.deploy({ data: code.bytecode, arguments: [...TOKEN.args] }).send({ from: account })
      token.setConfig({ contractDataInputFill: 'both' })
      return token.options.address
    },
    transfer: async () => token.methods.transfer?.(OTHER, TRANSFER).send({ from: account }),
    balance: async () => token.methods.balanceOf?.(OTHER).call(),
    transfers: async () => {
      const events = await token.getPastEvents('Transfer' as 'allEvents', { fromBlock: 0 })
      return events.map(event => (typeof event === 'string' ? event : event.returnValues.value))
    },
    'transfer too much': async () => token.methods.transfer?.(OTHER, 10n ** 30n).send({ from: account }),
    'watch blocks': async () => {
      const subscription = await web3.eth.subscribe('newBlockHeaders')
      subscription.on('data', ({ number }) => void blocks.push(number))
      return subscription.id
    },
    blocks: async () => blocks,
    'stop watching': async () => web3.eth.clearSubscriptions(),
    'add another chain': () =>
      web3.requestManager.send({
        method: 'wallet_addEthereumChain',
        params: [
          {
            chainId: `0x${OTHER_CHAIN.toString(16)}`,
            chainName: 'Other chain',
            nativeCurrency: { name: 'Other', symbol: 'OTH', decimals: 18 },
            rpcUrls: [otherNode],
          },
        ],
      } as never),
  }
}
