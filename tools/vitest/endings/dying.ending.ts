import { test } from 'vitest'
import { runChild, startChild } from '../child.ts'

test('its worker dies', async () => {
  const children = [1, 2, 3].map(() => startChild('sh', ['-c', 'echo "$$"; sleep 1000; echo']))
  await runChild('true', [])
  const pids = await Promise.all(children.map(async ({ until }) => (await until(/\d+/))[0]))
  process.stdout.write(`pids of the children: ${pids.join(' ')}.\n`, () => process.kill(process.pid, 'SIGKILL'))
})
