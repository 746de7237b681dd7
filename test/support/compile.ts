/** Compiles the tests' contracts with solc, and keeps the result, because loading solc and compiling takes long. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './root.ts'

type Compiler = { compile(input: string): string }
type Output = {
  errors?: readonly { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
}

const require = createRequire(import.meta.url)
const COMPILED = join(root, 'test/support/dist/contracts')

const compile = (input: string): [name: string, code: string][] => {
  const compiler: Compiler = require('solc')
  const { errors = [], contracts }: Output = JSON.parse(compiler.compile(input))
  const wrong = errors.filter(({ severity }) => severity === 'error').map(({ formattedMessage }) => formattedMessage)
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  const all = Object.values(contracts).flatMap(ofFile => Object.entries(ofFile))
  return all.map(([name, { evm }]) => [name, `0x${evm.deployedBytecode.object}`])
}

/** Returns the deployed code of each contract in a folder of `test/`, by name. Throws with the compiler's messages. */
export const compileContracts = (folder: string): Map<string, string> => {
  const path = join(root, 'test', folder)
  const files = readdirSync(path).map(name => [name, { content: readFileSync(join(path, name), 'utf8') }])
  const settings = {
    evmVersion: 'cancun',
    optimizer: { enabled: true },
    outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
  }
  const input = JSON.stringify({ language: 'Solidity', sources: Object.fromEntries(files), settings })
  const { version } = require('solc/package.json')
  const kept = join(COMPILED, `${createHash('sha256').update(`${version} ${input}`).digest('hex')}.json`)
  if (!existsSync(kept)) {
    const fresh = `${kept}.${process.pid}`
    mkdirSync(COMPILED, { recursive: true })
    writeFileSync(fresh, JSON.stringify(compile(input)))
    renameSync(fresh, kept)
  }
  return new Map(JSON.parse(readFileSync(kept, 'utf8')))
}
