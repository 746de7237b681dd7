/** Actions of a site built on ethers 6. */
import { BrowserProvider, Contract, ContractFactory, getBytes, type JsonRpcSigner } from 'ethers'
import type { Actions } from './actions.ts'
import { BYTES, LETTER, MESSAGE, NAME, OTHER, OTHER_CHAIN, TOKEN, TRANSFER, VALUE } from './values.ts'

const discover = async () => {
  const found = await BrowserProvider.discover({ filter: infos => infos.find(({ name }) => name === NAME) ?? null })
  if (!found) throw new Error('No wallet was found')
  found.pollingInterval = 100
  return found
}

export const ethersActions = (): Actions => {
  let provider: BrowserProvider
  let signer: JsonRpcSigner
  let token: Contract
  const blocks: number[] = []

  return {
    connect: async () => {
      provider = await discover()
      signer = await provider.getSigner()
      return signer.address
    },
    accounts: async () => (await provider.listAccounts()).map(({ address }) => address),
    network: async () => {
      // A provider caches its network, so a switch needs a new one.
      provider = await discover()
      return (await provider.getNetwork()).chainId
    },
    'sign text': () => signer.signMessage(MESSAGE),
    'sign bytes': () => signer.signMessage(getBytes(BYTES)),
    'sign the old way': () => signer._legacySignMessage(MESSAGE),
    'sign typed data': () =>
      signer.signTypedData(
        LETTER.domain,
        { Person: [...LETTER.types.Person], Letter: [...LETTER.types.Letter] },
        LETTER.message,
      ),
    'sign transaction': () => signer.signTransaction({ to: OTHER, value: VALUE }),
    send: async () => (await signer.sendTransaction({ to: OTHER, value: VALUE })).wait(),
    'send of type 0': async () => (await signer.sendTransaction({ to: OTHER, value: VALUE, type: 0 })).wait(),
    'deploy token': async () => {
      const abi = JSON.stringify(TOKEN.abi)
      const contract = await new ContractFactory(abi, TOKEN.bytecode, signer).deploy(...TOKEN.args)
      await contract.waitForDeployment()
      const address = await contract.getAddress()
      token = new Contract(address, abi, signer)
      return address
    },
    transfer: async () => {
      const sent = await token.getFunction('transfer')(OTHER, TRANSFER)
      return sent.wait()
    },
    balance: () => token.getFunction('balanceOf')(OTHER),
    transfers: async () => {
      const events = await token.queryFilter('Transfer', 0)
      return events.map(event => ('args' in event ? [...event.args] : []))
    },
    'transfer too much': async () => {
      const sent = await token.getFunction('transfer')(OTHER, 10n ** 30n)
      return sent.wait()
    },
    'switch to another chain': () =>
      provider.send('wallet_switchEthereumChain', [{ chainId: `0x${OTHER_CHAIN.toString(16)}` }]),
    'call a method that is not there': () => provider.send('eth_noSuchMethod', []),
    // From here on, the library polls for blocks and caches the block number for 250 ms.
    'watch blocks': async () => void (await provider.on('block', block => blocks.push(block))),
    blocks: async () => blocks,
  }
}
