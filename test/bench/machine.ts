/** Divides the machine's processors between the server and the load. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

const processors = { server: '0', load: '1' }

/**
 * Pins all threads of a process to its role's processor, if there is more than one, so that server and load do not
 * compete.
 */
export const pin = (pid: number | undefined, role: keyof typeof processors): void => {
  if (cpus().length > 1) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', processors[role], `${pid}`])
}

const LOOK = 500
const LOOKS = 20
/** The share of one processor that other processes may use. */
const QUIET = 0.2

/**
 * Returns the time in which a processor was not idle, in 1/100 s:
 * https://man7.org/linux/man-pages/man5/proc_stat.5.html
 */
const busyTicks = (): number => {
  const [, user, nice, system] = readFileSync('/proc/stat', 'latin1').split(/\s+/).map(Number)
  return (user ?? 0) + (nice ?? 0) + (system ?? 0)
}

/** Waits, up to a limit, until other processes leave the machine idle. */
export const quiet = async (): Promise<void> => {
  for (let look = 0; look < LOOKS; look++) {
    const before = busyTicks()
    await pause(LOOK)
    if (((busyTicks() - before) * 10) / LOOK < QUIET) return
  }
}
