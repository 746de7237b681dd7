/** Safe's packages. Each file describes one version of a contract, with its address on every chain. */
import { at, type Entry, entry, isRecord, type Label, propertiesOf } from '../entries.ts'
import type { PackageFiles } from '../packages.ts'
import type { Source } from './source.ts'

const SAFE = 'Safe'

/** Catalogue name and role by the contract name in Safe's files. The version is appended to the name. */
const CONTRACTS: Readonly<Record<string, Label>> = {
  GnosisSafe: ['singleton', 'safe-singleton'],
  GnosisSafeL2: ['L2 singleton', 'safe-singleton'],
  Safe: ['singleton', 'safe-singleton'],
  SafeL2: ['L2 singleton', 'safe-singleton'],
  MultiSend: ['MultiSend', 'safe-multisend'],
  MultiSendCallOnly: ['MultiSendCallOnly', 'safe-multisend-call-only'],
  ProxyFactory: ['proxy factory', 'safe'],
  GnosisSafeProxyFactory: ['proxy factory', 'safe'],
  SafeProxyFactory: ['proxy factory', 'safe'],
  SignMessageLib: ['SignMessageLib', 'safe'],
  SafeMigration: ['SafeMigration', 'safe'],
  AllowanceModule: ['AllowanceModule', 'safe-module'],
  Safe4337Module: ['Safe4337Module', 'safe-module'],
  SocialRecoveryModule: ['SocialRecoveryModule', 'safe-module'],
}

/**
 * Returns a network's addresses. In most files, the network's entry names one or several deployments. In the
 * modules' files, the entry is the address itself.
 */
const addressesOf = (deployments: unknown, network: unknown): readonly unknown[] =>
  [network].flat().map(key => (isRecord(deployments) ? at(deployments, String(key), 'address') : key))

const entriesOf = (file: unknown): readonly Entry[] => {
  const label = CONTRACTS[String(at(file, 'contractName'))]
  if (!label) return []
  const named: Label = [`${label[0]} ${at(file, 'version')}`, label[1]]
  return propertiesOf(at(file, 'networkAddresses')).flatMap(([chain, network]) =>
    addressesOf(at(file, 'deployments'), network).flatMap(address => entry(chain, address, SAFE, named)),
  )
}

const readFolder = async (files: PackageFiles, folder: string): Promise<readonly Entry[]> => {
  const names = await files.list(folder)
  const read = async (name: string): Promise<readonly Entry[]> =>
    name.endsWith('.json') ? entriesOf(await files.json(`${folder}/${name}`)) : readFolder(files, `${folder}/${name}`)
  return (await Promise.all(names.map(read))).flat()
}

const read: Source['read'] = files => readFolder(files, 'dist/assets')

export const SAFE_SOURCES: readonly Source[] = [
  {
    name: '@safe-global/safe-deployments',
    version: '1.37.63',
    integrity: 'sha512-dH4V3iHH5tZdxx3DBvvBzmnlOZpKMXUx6CBFGUwlARnUa9MEVVyg8Sbpc3DplsaPB5fLh0J97+WB5ylxhLWCRA==',
    read,
  },
  {
    name: '@safe-global/safe-modules-deployments',
    version: '3.0.10',
    integrity: 'sha512-6TWp62j4MxQxTttL7WehrQMI3irMeQo3/mKUuSWb0+oE7fzioQWZ+QYT3sD92cfsKITFIWJ2rHyeyXIbSq0qMg==',
    read,
  },
]
