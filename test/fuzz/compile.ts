/** Compiles the contracts against which the wallet's reviews are checked. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from '../support/root.ts'

type Compiler = { compile(input: string): string }
type Output = {
  errors?: readonly { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
}

const FOLDER = join(root, 'test/fuzz/contracts')

/** The deployed code of each contract by name. Throws with the compiler's messages. */
export const compileContracts = (): Map<string, string> => {
  const compiler: Compiler = createRequire(import.meta.url)('solc')
  const files = readdirSync(FOLDER).map(name => [name, { content: readFileSync(join(FOLDER, name), 'utf8') }])
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
