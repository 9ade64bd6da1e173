import { expect, test } from 'vitest'
import { runChild } from './child.ts'

test('a program may end without reading its input', async () => {
  const { stdout } = await runChild('echo', ['ended'], { input: 'x'.repeat(1_000_000) })
  expect(stdout).toBe('ended\n')
})
