import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('the contract suite runs with node:test, too', async () => {
  const suite = fileURLToPath(new URL('./file-store.node.ts', import.meta.url))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@auction/source', '--test', '--test-reporter=tap', suite],
    { env },
  )
  expect(stdout).toMatch(/^# pass [1-9]\d\d$/m)
  expect(stdout).toMatch(/^# fail 0$/m)
  expect(stdout).toContain('NOT TESTED against a second handle on the same data: the file is for one process')
})
