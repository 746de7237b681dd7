/** Descriptors in the public registry's format: an allowance, a swap, and a permit. */

export const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const OTHER_TOKEN = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
export const ROUTER = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
export const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
export const CHAIN = 31337

const deployments = (address: string) => [{ chainId: CHAIN, address }]

export const approveDescriptor = {
  $schema: 'https://eips.ethereum.org/assets/eip-7730/erc7730-v1.schema.json',
  context: { $id: 'Coin', contract: { deployments: deployments(TOKEN) } },
  metadata: {
    owner: 'Coin Maker',
    token: { name: 'Coin', ticker: 'COIN', decimals: 2 },
    constants: { max: `0x8${'0'.repeat(63)}` },
  },
  display: {
    definitions: {
      amount: {
        label: 'Amount',
        format: 'tokenAmount',
        params: { tokenPath: '@.to', threshold: '$.metadata.constants.max' },
      },
    },
    formats: {
      'approve(address spender,uint256 value)': {
        intent: 'Approve',
        fields: [
          { path: '#.spender', label: 'Spender', format: 'addressName', params: { types: ['contract'] } },
          { path: '#.value', $ref: '$.display.definitions.amount' },
        ],
      },
    },
  },
}

export const SWAP =
  'swap((address source,address target,(address payee,uint256 bips)[] cuts,uint256 amount,uint256 least) order, bytes path, uint64 deadline, uint8 mode, string note)'

export const swapDescriptor = {
  context: { contract: { deployments: [...deployments(ROUTER), { chainId: 1, address: ROUTER }] } },
  metadata: {
    owner: 'Router Lab',
    constants: { native: NATIVE },
    enums: { mode: { 0: 'Exact input', 1: 'Exact output' } },
  },
  display: {
    formats: {
      [SWAP]: {
        intent: { action: 'Swap', kind: 'tokens' },
        fields: [
          {
            path: 'order',
            fields: [
              {
                path: 'amount',
                label: 'Send',
                format: 'tokenAmount',
                params: { tokenPath: 'source', nativeCurrencyAddress: '$.metadata.constants.native' },
              },
              { path: 'least', label: 'Receive at least', format: 'tokenAmount', params: { tokenPath: 'target' } },
              { path: 'cuts.[].payee', label: 'Fee to', format: 'addressName' },
              { path: 'cuts.[].bips', label: 'Fee', format: 'unit', params: { base: '%', decimals: 2 } },
            ],
          },
          { path: '#.path.[0:20]', label: 'First token', format: 'addressName' },
          { path: '#.path.[-20:]', label: 'Last token', format: 'addressName' },
          { path: '#.deadline', label: 'Until', format: 'date', params: { encoding: 'timestamp' } },
          { path: '#.mode', label: 'Mode', format: 'enum', params: { $ref: '$.metadata.enums.mode' } },
          { path: '#.note', label: 'Note', format: 'raw' },
          { path: '@.value', label: 'Coins', format: 'amount' },
          { path: '#.path', label: 'Hidden', format: 'raw', visible: 'never' },
        ],
      },
    },
  },
}

export const PERMIT = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'

export const permitDescriptor = {
  context: {
    eip712: { deployments: deployments(TOKEN), domain: { name: 'Coin', version: '2' } },
  },
  metadata: { owner: 'Coin Maker' },
  display: {
    formats: {
      [PERMIT]: {
        intent: 'Authorize spending',
        fields: [
          { path: 'spender', label: 'Spender', format: 'addressName' },
          { path: 'value', label: 'Amount', format: 'tokenAmount', params: { tokenPath: '@.to' } },
          { path: 'deadline', label: 'Valid for', format: 'duration' },
        ],
      },
    },
  },
}
