import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runChild, startChild } from './child.ts'

const root = join(import.meta.dirname, '../..')

/** Runs tests that go wrong on purpose, to their end. */
async function runEndings(name: string): Promise<string> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const config = join(import.meta.dirname, 'endings/vitest.config.ts')
  const run = startChild(process.execPath, [vitest, 'run', '--config', config, '--no-color', name], {
    cwd: root,
    env: { PATH: process.env['PATH'] },
  })
  expect(await run.exited()).toBe(1)
  return run.stdout() + run.stderr()
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a run ends when tests have failed, and shows what their programs wrote to standard error', async () => {
  const report = await runEndings('failing')
  expect(report).toContain('on purpose')
  const url = /listens on (http:\S+)\./.exec(report)?.[1] ?? 'no server'
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  expect(report).toMatch(/on purpose, too(?:.|\n)*Error: sh wrote to standard error:\nits words\n/)
  expect(report).toContain('Test timed out in 500ms')
}, 180_000)

test('programs end when the process of their test is killed', async () => {
  const report = await runEndings('dying')
  const pids = /pids of the children: ([\d ]+)\./.exec(report)?.[1]?.split(' ').map(Number) ?? []
  expect(pids).toHaveLength(3)
  await expect.poll(() => pids.filter(isRunning), { timeout: 30_000 }).toEqual([])
}, 180_000)

test('a program that fails is an error with all that it wrote', async () => {
  await expect(runChild('sh', ['-c', 'echo out; echo err >&2; exit 3'])).rejects.toThrow(/ended with 3:\nout\nerr\n$/)
  await expect(runChild('no-such-program', [])).rejects.toThrow('ENOENT')
  await expect(startChild('sh', ['-c', 'echo out; echo err >&2']).until(/never/)).rejects.toThrow(/out\nerr\n$/)
})

test('a program reads the text that it is given', async () => {
  expect(await runChild('cat', [], { input: 'text' })).toEqual({ stdout: 'text', stderr: '' })
})
