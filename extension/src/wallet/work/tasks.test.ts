import { expect, test } from 'vitest'
import { createTasks, type Progress } from './tasks.ts'

const started = () => {
  const seen: unknown[] = []
  const tasks = createTasks()
  tasks.observe(() => void seen.push(tasks.current()))
  return { tasks, seen }
}

/** Creates a task that the test advances and completes. */
const work = () => {
  let progress: Progress = () => {}
  let end: (result: string) => void = () => {}
  const run = (given: Progress) => {
    progress = given
    return new Promise<string>(resolve => {
      end = resolve
    })
  }
  return { run, progress: (done: number) => progress(done), end: (result: string) => end(result) }
}

test('notifies the start, each percent and the end of a task, and returns its result', async () => {
  const { tasks, seen } = started()
  const { run, progress, end } = work()
  const result = tasks.run('importKeystore', run)
  for (const done of [0.001, 0.02, 0.021, 0.5, 0.501, 1]) progress(done)
  end('done')
  expect(await result).toBe('done')
  const at = (done: number) => ({ name: 'importKeystore', progress: done })
  expect(seen).toEqual([at(0), at(0.02), at(0.5), at(1), null])
})

test('a failed task ends with its error', async () => {
  const { tasks } = started()
  const failed = tasks.run('discoverAccounts', async () => {
    throw new Error('out of reach')
  })
  await expect(failed).rejects.toThrow('out of reach')
  expect(tasks.current()).toBeNull()
})

test('one task runs at a time', async () => {
  const { tasks } = started()
  const { run, end } = work()
  const first = tasks.run('importKeystore', run)
  await expect(tasks.run('exportKeystore', async () => 'x')).rejects.toMatchObject({ code: -32002 })
  end('done')
  await first
  expect(await tasks.run('exportKeystore', async () => 'x')).toBe('x')
})

test('a cancelled task rejects immediately, and stops at its next step', async () => {
  const { tasks } = started()
  const { run, progress, end } = work()
  const result = tasks.run('importKeystore', run)
  tasks.cancel()
  await expect(result).rejects.toMatchObject({ code: 4001 })
  expect(tasks.current()).toBeNull()
  expect(() => progress(0.5)).toThrow('Cancelled')
  end('too late')
  tasks.cancel()
  expect(await tasks.run('exportKeystore', async () => 'x')).toBe('x')
})

test('work behind the tasks ends when a task starts or when it is cancelled, and does not start beside one', async () => {
  const { tasks } = started()
  const aborted: string[] = []
  const behind = (name: string) =>
    tasks.behind(
      signal =>
        new Promise(resolve => {
          signal.addEventListener('abort', () => {
            aborted.push(name)
            resolve()
          })
        }),
    )
  const first = behind('first')
  await behind('not begun')
  expect(tasks.current()).toBeNull()
  const { run, end } = work()
  const task = tasks.run('importKeystore', run)
  await first
  await behind('not begun either')
  end('done')
  await task
  const second = behind('second')
  tasks.cancel()
  await second
  expect(aborted).toEqual(['first', 'second'])
})
