import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runChild } from '../../../../tools/vitest/child.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const suite = relative(root, fileURLToPath(new URL('./store-contract.node.ts', import.meta.url)))

test('the contract suite runs with node:test', async () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const parameters = ['--conditions=@auction/source', '--test-reporter=tap', suite]
  const { stdout } = await runChild(process.execPath, parameters, { cwd: root, env })
  expect(stdout).toMatch(/^# pass [1-9]\d\d$/m)
  expect(stdout).toMatch(/^# fail 0$/m)
  expect(stdout).toContain('NOT TESTED with a second handle on the same data: the data is in the memory of one process')
})
