import { isoOf } from '@auction/domain/moment'
import { unwrap } from '@auction/domain/result'
import { expect, test } from 'vitest'
import { windowIn } from '../src/command-line/ending-window.ts'

test.each([
  ['2030-01-31T23:45Z..2030-02-01T00:15:30Z', undefined, '2030-01-31T23:45:00.000Z', '2030-02-01T00:15:30.000Z'],
  ['2030-07-01T23:45..2030-07-02T00:15', 'Europe/Vienna', '2030-07-01T21:45:00.000Z', '2030-07-01T22:15:00.000Z'],
  // Clocks show the hour from 2:00 again after 3:00.
  ['2030-10-27T02:00..02:30', 'Europe/Vienna', '2030-10-27T00:00:00.000Z', '2030-10-27T01:30:00.000Z'],
  ['2030-01-31T05:30:15.500..05:45', 'Asia/Kolkata', '2030-01-31T00:00:15.500Z', '2030-01-31T00:15:00.000Z'],
])('%s, in the zone %s, is from %s to %s', (text, zone, from, to) => {
  const { fromMs, toMs } = unwrap(windowIn(text, zone))
  expect([isoOf(fromMs), isoOf(toMs)]).toEqual([from, to])
})

test.each([
  ['2026-11-26T23:45Z..00:15Z', undefined],
  ['2026-11-26T23:45..00:15', 'Europe/Vienna'],
])('%s, in the zone %s, is refused with an example that is accepted', (text, zone) => {
  const refused = windowIn(text, zone)
  const [rule, example = ''] = refused.ok ? [] : refused.refusal.split(', such as ')
  expect(rule).toBe('--ending: the second time is before the first; if it is on the next day, give both dates')
  expect(windowIn(example, zone)).toMatchObject({ ok: true })
})
