import { expect, onTestFinished, test, vi } from 'vitest'
import { createLogger, createTerminalFormat, onceAMinute } from '../src/log/log.ts'

const esc = '\u001b'

/** The output for log lines. */
async function written(hasColors: boolean, log: (logger: ReturnType<typeof createLogger>) => void): Promise<string> {
  const lines: string[] = []
  const pretty = await createTerminalFormat(hasColors)
  log(createLogger('trace', { write: (line) => void lines.push(pretty(line)) }))
  return lines.join('')
}

test('a request is one line with the most important fields first', async () => {
  const text = await written(false, (logger) =>
    logger.info({ requestId: 'a.1', method: 'POST', path: '/orders', status: 409, code: 'sold-out', ms: 1.25 }),
  )
  expect(text).toMatch(
    /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: POST \/orders 409 sold-out \(1\.25 ms\) \{"requestId":"a\.1"\}\n$/,
  )
})

test('an error has its stack, and colors show levels', async () => {
  const log = (logger: ReturnType<typeof createLogger>) => logger.error({ err: new Error('it broke') }, 'internal')
  expect(await written(false, log)).toMatch(/ERROR: internal \n[\s\S]*it broke[\s\S]*log\.test\.ts/)
  expect(await written(false, log)).not.toContain(esc)
  expect(await written(true, log)).toContain(`${esc}[31mERROR${esc}[39m`)
})

test('client text cannot control the terminal', async () => {
  const hostile = '\u202e\u2066\u001b[2J\u009b2J\u0007\b\u007f\\\u001b[1A\\u001b]0;owned'
  const text = await written(false, (logger) => {
    logger.info({ caller: hostile, method: 'GET', path: hostile, status: 404 })
    logger.warn(hostile)
    logger.error({ err: new Error(hostile) }, 'internal')
  })
  expect(text).toContain('[2J')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches the characters that must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2066]/)
})

test('a report is made at once, and then once a minute with the number of requests for it', () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const reports: number[] = []
  const report = onceAMinute((times) => reports.push(times))
  for (let count = 0; count < 3; count++) report()
  expect(reports).toEqual([1])
  vi.advanceTimersByTime(59_999)
  report()
  expect(reports).toEqual([1])
  vi.advanceTimersByTime(1)
  report()
  expect(reports).toEqual([1, 4])
})
