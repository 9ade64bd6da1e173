import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runChild } from '../../../../tools/vitest/child.ts'

test('the contract suite runs with node:test, too', async () => {
  const suite = fileURLToPath(new URL('./file-store.node.ts', import.meta.url))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { stdout } = await runChild(
    process.execPath,
    ['--conditions=@auction/source', '--test', '--test-reporter=tap', suite],
    { env },
  )
  expect(stdout).toMatch(/^# pass [1-9]\d\d$/m)
  expect(stdout).toMatch(/^# fail 0$/m)
  expect(stdout).toContain('NOT TESTED against a second handle on the same data: the file is for one process')
})
