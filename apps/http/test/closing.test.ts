import { createLogger } from '@auction/host/log'
import fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { closeDueRegularly } from '../src/api/closing.ts'

test('the log has one line when closing starts to fail, and one when it works again', async () => {
  vi.useFakeTimers()
  const app = fastify()
  onTestFinished(async () => {
    await app.close()
    vi.useRealTimers()
  })
  const log: string[] = []
  const runs = [{ closed: 0, left: 2 }, new Error('it broke'), { closed: 2, left: 0 }, { closed: 0, left: 0 }]
  const closeDue = async () => {
    const run = runs.shift()
    if (run === undefined || run instanceof Error) throw run
    return run
  }
  const results: string[] = []
  const logger = createLogger('info', { write: (line) => void log.push(line) })
  closeDueRegularly(app, closeDue, { noteError: () => undefined }, logger, (result) => results.push(result))
  await app.ready()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(results).toEqual(['incomplete', 'failed', 'complete', 'complete'])
  expect(log.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, left: 2, msg: 'ended auctions cannot be closed; the service keeps trying' },
    { level: 30, msg: 'ended auctions can be closed again' },
  ])
})
