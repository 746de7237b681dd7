/** Naming, payments, insurance and delegation. */
import { at, byName, type Entry, entry, type Label, onChains, propertiesOf } from '../entries.ts'
import { isObject, literalAfter, literalsAfter } from '../literal.ts'
import type { PackageFiles } from '../packages.ts'
import type { Source } from './source.ts'

const ENS: Readonly<Record<string, Label>> = {
  ensRegistry: ['registry', 'names'],
  ensBaseRegistrarImplementation: ['.eth registrar', 'names'],
  ensEthRegistrarController: ['ETHRegistrarController', 'names'],
  wrappedEthRegistrarController: ['ETHRegistrarController', 'names'],
  legacyEthRegistrarController: ['ETHRegistrarController', 'names'],
  ensBulkRenewal: ['bulk renewal', 'names'],
  wrappedBulkRenewal: ['bulk renewal', 'names'],
  ensNameWrapper: ['name wrapper', 'names'],
  ensPublicResolver: ['public resolver', 'names'],
  wrappedPublicResolver: ['public resolver', 'names'],
  legacyPublicResolver: ['public resolver', 'names'],
  ensReverseRegistrar: ['reverse registrar', 'names'],
  ensDefaultReverseRegistrar: ['default reverse registrar', 'names'],
  ensDnsRegistrar: ['DNS registrar', 'names'],
  ensUniversalResolver: ['universal resolver', 'names'],
}

const readEns: Source['read'] = async files => {
  const addresses = literalAfter(await files.text('dist/contracts/consts.js'), 'export const addresses =')
  const labels = Object.entries(ENS).map(([key, label]) => [`${key}.address`, label])
  return propertiesOf(addresses).flatMap(([chain, contracts]) =>
    byName(chain, contracts, 'ENS', Object.fromEntries(labels)),
  )
}

const SABLIER = 'dist/esm/evm/releases'

/**
 * Reads the contract with the given constant name from all releases of a kind. The catalogue name includes the version.
 */
const readSablierKind = async (
  files: PackageFiles,
  kind: string,
  constant: string,
  name: string,
): Promise<readonly Entry[]> => {
  const versions = (await files.list(`${SABLIER}/${kind}`)).filter(version => version.startsWith('v'))
  const read = async (version: string): Promise<readonly Entry[]> => {
    const text = await files.text(`${SABLIER}/${kind}/${version}/deployments.js`)
    return literalsAfter(text, /get\(chains\.(\w+)\.id,/g).flatMap(([chain, contracts]) =>
      entry(chain, [at(contracts, constant)].flat()[0], 'Sablier', [`${name} ${version.slice(1)}`, 'other']),
    )
  }
  return (await Promise.all(versions.map(read))).flat()
}

const readSablier: Source['read'] = async files => [
  ...(await readSablierKind(files, 'lockup', 'SABLIER_LOCKUP', 'Lockup')),
  ...(await readSablierKind(files, 'flow', 'SABLIER_FLOW', 'Flow')),
]

const readSuperfluid: Source['read'] = async files =>
  propertiesOf(await files.json('networks.json')).flatMap(([, network]) =>
    byName(Number(at(network, 'chainId')), at(network, 'contractsV1'), 'Superfluid', {
      host: ['host', 'other'],
      cfaV1Forwarder: ['stream forwarder', 'other'],
      gdaV1Forwarder: ['pool forwarder', 'other'],
      vestingScheduler: ['vesting scheduler', 'other'],
      vestingSchedulerV2: ['vesting scheduler v2', 'other'],
      vestingSchedulerV3: ['vesting scheduler v3', 'other'],
      flowScheduler: ['stream scheduler', 'other'],
      'autowrap.manager': ['auto-wrap', 'other'],
    }),
  )

const readUnlock: Source['read'] = async files =>
  literalsAfter(await files.text('dist/index.mjs'), /^var (\w+) =(?= \{)/gm).flatMap(([, network]) =>
    isObject(network) ? entry(String(at(network, 'id')), network.unlockAddress, 'Unlock', ['Unlock', 'other']) : [],
  )

/**
 * Chains on which Splits' main contract is deployed, from https://docs.splits.org/. The package has a single address.
 */
const SPLITS_CHAINS = [1, 10, 137, 8453, 42161, 7777777]

const readSplits: Source['read'] = async files => {
  const text = await files.text('dist/src/constants/index.js')
  const [, main = ''] = /SPLIT_MAIN_ADDRESS = '(0x\w{40})'/.exec(text) ?? []
  const [, warehouse = ''] = /WAREHOUSE_ADDRESS = '(0x\w{40})'/.exec(text) ?? []
  return [
    ...onChains(SPLITS_CHAINS, main, 'Splits', ['SplitMain', 'fees']),
    ...onChains(SPLITS_CHAINS, warehouse, 'Splits', ['warehouse', 'fees']),
  ]
}

const readNexus: Source['read'] = async files =>
  byName(1, await files.json('dist/data/addresses.json'), 'Nexus Mutual', {
    Cover: ['cover', 'other'],
    CoverBroker: ['cover broker', 'other'],
    LimitOrders: ['cover limit orders', 'other'],
    StakingProducts: ['staking products', 'staking'],
    TokenController: ['token controller', 'staking'],
    Ramm: ['NXM exchange', 'pool'],
    Assessments: ['claim assessments', 'governance'],
    Governor: ['governor', 'governance'],
    wNXM: ['wNXM', 'token'],
  })

const readDelegation: Source['read'] = async files => {
  const text = await files.text('dist/index.mjs')
  const contracts = literalAfter(text, 'DEPLOYMENTS_1_3_0 =')
  const chains = [...text.matchAll(/\[CHAIN_ID\.(\w+)\]: DEPLOYMENTS_1_3_0/g)].map(([, chain = '']) => chain)
  return chains.flatMap(chain =>
    byName(chain, contracts, 'MetaMask', {
      DelegationManager: ['delegation manager', 'other'],
      EIP7702StatelessDeleGatorImpl: ['smart account', 'other'],
    }),
  )
}

export const SERVICE_SOURCES: readonly Source[] = [
  {
    name: '@ensdomains/ensjs',
    version: '4.3.1',
    integrity: 'sha512-7CmVT6JUeVhG/jEfc+AVDrdVjs4aYT0NU0uFoDrd2ij1xpQlYw7HcXTMbMGUtw0LvwDDLaAsZZOodhJ93+AP9g==',
    read: readEns,
  },
  {
    name: 'sablier',
    version: '4.1.0',
    integrity: 'sha512-S++N8kgmd6CaxAuencfANvheneWVPit2qsWJrM3JOalPYckhAdNU0UtSeWcamGgnUFIH7zQg51Lg0eabyajJzw==',
    read: readSablier,
  },
  {
    name: '@superfluid-finance/metadata',
    version: '1.6.4',
    integrity: 'sha512-lqAcodeGsO3DYN6OCx/e0AePU6yAn9wNT6cXwcED/DN+vWsQVEgVsSjY00AzDeCFFjCeomx64zZL917GV7rv2w==',
    read: readSuperfluid,
  },
  {
    name: '@unlock-protocol/networks',
    version: '0.0.25',
    integrity: 'sha512-Qe478N4o9gCYY3EzYC+TG1M4x8r5t7P7VKYEQg0YrkELqvDYij1sVTTqReV5EpD1YC3sbRGiAmQwCeDxWpYFNA==',
    read: readUnlock,
  },
  {
    name: '@0xsplits/splits-sdk',
    version: '6.6.0',
    integrity: 'sha512-gdSvR7BT603YmubzU8zjMluyLWLgaxiboZJlkHCYQTtBQQGaZViVDyYAKl5uQ4W+kw+QUKygvd8TvkxMEwuK7g==',
    read: readSplits,
  },
  {
    name: '@nexusmutual/deployments',
    version: '3.4.0',
    integrity: 'sha512-WvyRTPAbz53Y2O7cjkf1Uiqv7M6SH/EjdFrftOAr4t7r8A4iWe6pJDXJwD4YVDkSY/3mQIuWlc5MuXoKVfeCqA==',
    read: readNexus,
  },
  {
    name: '@metamask/delegation-deployments',
    version: '2.0.0',
    integrity: 'sha512-DnI1eZ2fCZtkfrq9+G4NKh2S4WOVczKkrTh+JVTgBCS4bCmObxN1pDvdxbTA9WPl9TZoL0XamRhjfYSRXIq6wA==',
    read: readDelegation,
  },
]
