/** The machine, shared as fairly as can be. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

const processors = { server: '0', load: '1' }

/** Keeps all threads of a process on its processor, so that server and load do not take each other's time, if there are two. */
export const pin = (pid: number | undefined, role: keyof typeof processors): void => {
  if (cpus().length > 1) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', processors[role], `${pid}`])
}

const LOOK = 500
const LOOKS = 20
/** Share of one processor that others may use. */
const QUIET = 0.2

/** Hundredths of a second in which a processor was not idle: https://man7.org/linux/man-pages/man5/proc_stat.5.html */
const busyTicks = (): number => {
  const [, user, nice, system] = readFileSync('/proc/stat', 'latin1').split(/\s+/).map(Number)
  return (user ?? 0) + (nice ?? 0) + (system ?? 0)
}

/** Waits until others let the machine rest, but not for ever. */
export const quiet = async (): Promise<void> => {
  for (let look = 0; look < LOOKS; look++) {
    const before = busyTicks()
    await pause(LOOK)
    if (((busyTicks() - before) * 10) / LOOK < QUIET) return
  }
}
