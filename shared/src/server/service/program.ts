/** A server as a command. It serves, unless its arguments request another task. */
import { readBuild } from '../process/build.ts'
import type { Config, Row, Sources } from '../process/config.ts'
import type { LogLevel } from '../process/log.ts'
import { type NumberOf, runCheck } from '../storage/check.ts'
import { runBackup } from '../transfer/backup.ts'
import { runTransfer } from '../transfer/command.ts'
import type { Transfer } from '../transfer/transfer.ts'
import type { Running, Service } from '../transport/service.ts'
import { type CheckedRows, checkConfig } from './check-config.ts'
import { helpText } from './help.ts'
import { run } from './run.ts'

/** Rows of both servers that their commands need. */
export type ProgramRows = CheckedRows & { stopSeconds: Row<number>; logLevel: Row<LogLevel> }

export type Program<R extends ProgramRows> = {
  /** Name of the installed command: "heliograph-relay". */
  name: string
  service: Service
  rows: R
  numberOf?: NumberOf
  transfer: Transfer<R>
  start: (config: Config<R>) => Promise<Running>
}

/** Resolves with the exit code. */
type Act = () => Promise<number>
type Acts = Readonly<Record<string, Act>>

const print = (text: string): Act => {
  return async () => {
    process.stdout.write(text)
    return 0
  }
}

const CHECK_CONFIG = '--check-config'

/** Tasks by flag. The flag can stand anywhere among the flags of settings. */
const anywhere = <R extends ProgramRows>(program: Program<R>, command: string, { args, env }: Sources): Acts => {
  const { name, service, rows } = program
  const settings = { args: args.filter(arg => arg !== CHECK_CONFIG), env }
  return {
    '--help': print(helpText(command, service.prefix, rows)),
    '--version': print(`${name} ${readBuild().version}\n`),
    [CHECK_CONFIG]: () => checkConfig(program, settings),
  }
}

/** Tasks by the first argument, which is followed by a folder. */
const first = <R extends ProgramRows>({ numberOf, transfer }: Program<R>, sources: Sources): Acts => {
  const check = () => runCheck(sources.args, numberOf)
  const move = () => runTransfer(transfer, sources)
  const backUp = async () => runBackup(transfer, sources)
  return { '--check': check, '--repair': check, '--backup': backUp, '--import': move, '--export': move }
}

/** Returns the task that the arguments request instead of a server, or undefined. */
const actOf = <R extends ProgramRows>(program: Program<R>, command: string, sources: Sources): Act | undefined => {
  const acts = anywhere(program, command, sources)
  const flag = Object.keys(acts).find(known => sources.args.includes(known))
  return flag === undefined ? first(program, sources)[sources.args[0] ?? ''] : acts[flag]
}

/**
 * Runs a program. `command` is shown in the help: "heliograph-relay", or "npm run relay --" in a clone. `serve` is
 * called unless the arguments request another task.
 */
export const runProgram = async <R extends ProgramRows>(
  program: Program<R>,
  command: string,
  sources: Sources,
  serve: () => Promise<void> = () => run(program, sources),
): Promise<void> => {
  const act = actOf(program, command, sources)
  if (act) process.exitCode = await act()
  else await serve()
}
