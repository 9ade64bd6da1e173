import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runChild } from '../../../../tools/vitest/child.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const suite = relative(root, fileURLToPath(new URL('./file-store.node.ts', import.meta.url)))

test('the contract suite runs with node:test, by the command of the page', async () => {
  const page = readFileSync(`${root}docs/how-to/write-an-adapter.md`, 'utf8')
  const [, options = ''] = /^npx -y pnpm@12 exec node (.*) (.*)$/m.exec(page) ?? []
  expect(page).toContain(`exec node ${options} ${suite}\n`)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const parameters = [...options.split(' '), '--test-reporter=tap', suite]
  const { stdout } = await runChild(process.execPath, parameters, { cwd: root, env })
  expect(stdout).toMatch(/^# pass [1-9]\d\d$/m)
  expect(stdout).toMatch(/^# fail 0$/m)
  expect(stdout).toContain('NOT TESTED with a second handle on the same data: the file is for one process')
})
