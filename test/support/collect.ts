/** Loaded into a process under test before its own code: on SIGUSR2 it collects its garbage, and says how much room that left in its heap. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

process.on('SIGUSR2', () => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapTotal, heapUsed } = process.memoryUsage()
  process.stdout.write(`room in the heap: ${heapTotal - heapUsed} bytes\n`)
})
