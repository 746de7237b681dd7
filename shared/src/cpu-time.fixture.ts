/** Processor time bounds the cost of an algorithm in tests. Unlike elapsed time it does not grow with the machine's load. */

/** Runs `work` and returns the processor time that this process spent meanwhile, in milliseconds. */
export const cpuTimeOf = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
