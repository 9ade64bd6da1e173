import { describe, expect, test } from 'vitest'
import {
  after,
  bid,
  close,
  endAuction,
  endMs,
  eventOf,
  expectRule,
  extend,
  marginMs,
  type Rule,
  type Step,
  softCloseTerms,
  startMs,
  termsWith,
} from './play.ts'

const terms = termsWith()
const soft = softCloseTerms()

describe('an early end', () => {
  test.each<Omit<Rule, 'command'>>([
    { title: 'is refused before the start', clockMs: startMs - 1, code: 'auction-not-started' },
    { title: 'is accepted at the start', clockMs: startMs, code: 'accepted' },
    { title: 'is accepted after the end', clockMs: endMs + marginMs, code: 'accepted' },
    { title: 'is accepted again', after: [endAuction], code: 'accepted' },
    {
      title: 'is refused after 50 repairs',
      ...{ after: Array.from({ length: 50 }, () => endAuction), code: 'too-many-repairs' },
    },
  ])('$title', (rule) => expectRule({ ...rule, command: endAuction }))

  test.each<Rule>([
    { title: 'accepts a bid of its time', command: bid(2, 100), clockMs: startMs + 5, code: 'accepted' },
    { title: 'accepts a bid that arrived before it', command: bid(2, 100), clockMs: startMs, code: 'accepted' },
    { title: 'accepts no later bid', command: bid(2, 100), clockMs: startMs + 6, code: 'auction-ended' },
    { title: 'is followed by no result at once', command: close, clockMs: startMs + 5 + marginMs, code: 'not-due' },
    { title: 'is followed by the result', command: close, clockMs: startMs + 6 + marginMs, code: 'accepted' },
  ])('$title', (rule) => expectRule({ ...rule, after: [[endAuction, startMs + 5]] }))

  test('sets the end to a millisecond after it, or keeps an end that has passed', () => {
    const previous = { previousEndMs: endMs, reason: 'Outage.', editor: 'staff' }
    const event = { type: 'ended-early', endMs: startMs + 6, ...previous }
    expect(eventOf(terms, [endAuction, startMs + 5])).toStrictEqual(event)
    expect(eventOf(terms, [endAuction, endMs + 5])).toStrictEqual({ ...event, endMs })
  })

  const bids = [bid(2, 100), bid(3, 120)]
  const early = [endAuction, startMs] as const
  const due = [close, endMs + marginMs + 9] as const
  test.each<{ title: string; steps: readonly Step[]; result: object }>([
    { title: 'without bids', steps: [early, due], result: { outcome: 'unsold', isEndedEarly: true } },
    { title: 'with bids', steps: [...bids, early, due], result: { outcome: 'sold', isEndedEarly: true } },
    {
      title: 'that was repeated after its end',
      ...{ steps: [early, [endAuction, endMs], due], result: { outcome: 'unsold', isEndedEarly: true } },
    },
    { title: 'that came after the end', steps: [[endAuction, endMs], due], result: { isEndedEarly: undefined } },
    { title: 'that was extended', steps: [early, extend(endMs + 9), due], result: { isEndedEarly: undefined } },
  ])('$title is in the result only if it was early', ({ steps, result }) => {
    const event = eventOf(terms, ...steps)
    expect(event?.type === 'closed' && { isEndedEarly: undefined, ...event.result }).toMatchObject(result)
  })

  test('is not extended by a bid, but is after another extension', () => {
    const late = [bid(2, 100), startMs] as const
    expect(after(soft, [endAuction, startMs], late).extendedEndMs).toBe(startMs + 1)
    const again = after(soft, [endAuction, startMs], extend(startMs + 9), late)
    expect(again.extendedEndMs).toBe(startMs + 120_000)
  })
})
