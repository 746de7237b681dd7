/** Compiles the tests' contracts with solc. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './root.ts'

type Compiler = { compile(input: string): string }
type Output = {
  errors?: readonly { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
}

/** The compiled folders. The files of one process share them. */
const compiled = new Map<string, Map<string, string>>()

/** Returns the deployed code of each contract in a folder of `test/`, by name. Throws with the compiler's messages. */
export const compileContracts = (folder: string): Map<string, string> => {
  const contracts = compiled.get(folder) ?? compile(folder)
  compiled.set(folder, contracts)
  return contracts
}

const compile = (folder: string): Map<string, string> => {
  const compiler: Compiler = createRequire(import.meta.url)('solc')
  const path = join(root, 'test', folder)
  const files = readdirSync(path).map(name => [name, { content: readFileSync(join(path, name), 'utf8') }])
  const settings = {
    evmVersion: 'cancun',
    optimizer: { enabled: true },
    outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
  }
  const input = { language: 'Solidity', sources: Object.fromEntries(files), settings }
  const { errors = [], contracts }: Output = JSON.parse(compiler.compile(JSON.stringify(input)))
  const wrong = errors.filter(({ severity }) => severity === 'error').map(({ formattedMessage }) => formattedMessage)
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  const all = Object.values(contracts).flatMap(ofFile => Object.entries(ofFile))
  return new Map(all.map(([name, { evm }]) => [name, `0x${evm.deployedBytecode.object}`]))
}
