import type { Attempt } from '@auction/testing/history'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import type { Entry } from '../../src/ledger/entry.ts'
import { seeds } from './seeds.ts'
import { simulate } from './simulate.ts'

/** So few that a block takes seconds, even if other programs use the machine. */
const blockLength = 50
/** The short form has seeds with every kind of answer and entry. */
const firstSeed = isLong ? 1 : 601
const blocks = seeds(0, isLong ? 40 : 2).map((index) => firstSeed + index * blockLength)
const allSeeds = seeds(firstSeed, blocks.length * blockLength)

type Summary = {
  readonly problems: readonly string[]
  readonly answers: ReadonlySet<string>
  readonly entries: ReadonlySet<string>
}

const summaries = new Map<number, Summary>()

/** The result of a seed, without its events. Each seed is simulated once for all tests. */
async function summarize(seed: number): Promise<Summary> {
  let summary = summaries.get(seed)
  if (summary === undefined) {
    const { problems, attempts, ledger } = await simulate(seed)
    summary = { problems, answers: new Set(attempts.map(answerOf)), entries: new Set(ledger.map(kindOf)) }
    summaries.set(seed, summary)
  }
  return summary
}

describe('several processes over an unreliable store', () => {
  test.each(blocks)('keep every promise, with seeds from %i on', async (first) => {
    for (const seed of seeds(first, blockLength)) {
      const { problems } = await summarize(seed)
      expect(problems, `seed ${seed}; replay it with: pnpm simulate --seed ${seed}`).toEqual([])
    }
  })

  test('behave the same with the same seed', async () => {
    for (const seed of seeds(1, isLong ? 20 : 5)) expect(await simulate(seed)).toEqual(await simulate(seed))
  })

  test('return every kind of answer, so that all are tested', async () => {
    const answers = new Set<string>()
    for (const seed of allSeeds) for (const answer of (await summarize(seed)).answers) answers.add(answer)
    expect([...answers].sort()).toEqual([
      'buy-now: accepted',
      'buy-now: auction-cancelled',
      'buy-now: auction-ended',
      'buy-now: auction-not-found',
      'buy-now: auction-not-started',
      'buy-now: buy-now-not-offered',
      'buy-now: idempotency-key-reused',
      'buy-now: overloaded',
      'buy-now: owner-cannot-buy',
      'buy-now: store-unavailable',
      'buy-now: unknown',
      'cancel-auction: accepted',
      'cancel-auction: auction-ended',
      'cancel-auction: auction-has-bids',
      'cancel-auction: auction-not-found',
      'cancel-auction: idempotency-key-reused',
      'cancel-auction: not-the-owner',
      'cancel-auction: overloaded',
      'cancel-auction: store-unavailable',
      'cancel-auction: unknown',
      'correct-auction: accepted',
      'correct-auction: auction-cancelled',
      'correct-auction: auction-ended',
      'correct-auction: auction-has-bids',
      'correct-auction: auction-not-found',
      'correct-auction: idempotency-key-reused',
      'correct-auction: overloaded',
      'correct-auction: precondition-failed',
      'correct-auction: store-unavailable',
      'correct-auction: unknown',
      'create-auction: accepted',
      'create-auction: idempotency-key-reused',
      'create-auction: store-unavailable',
      'create-auction: unknown',
      'create-auction: validation-failed',
      'list-auctions: listed',
      'list-auctions: unknown',
      'place-bid: accepted',
      'place-bid: auction-cancelled',
      'place-bid: auction-ended',
      'place-bid: auction-not-found',
      'place-bid: auction-not-started',
      'place-bid: bid-too-low',
      'place-bid: idempotency-key-reused',
      'place-bid: maximum-not-raised',
      'place-bid: overloaded',
      'place-bid: owner-cannot-bid',
      'place-bid: store-unavailable',
      'place-bid: unknown',
      'place-bid: validation-failed',
      'read-auction: auction-not-found',
      'read-auction: read',
      'read-auction: unknown',
    ])
  })

  test('make every kind of entry, so that all rules are tested', async () => {
    const kinds = new Set<string>()
    for (const seed of allSeeds) for (const kind of (await summarize(seed)).entries) kinds.add(kind)
    expect([...kinds].sort()).toEqual([
      'bid-placed',
      'bid-placed, moves the end',
      'bid-placed, the leader replies',
      'bid-placed, the leader replies, moves the end',
      'bid-placed, with an automatic raise',
      'bid-placed, with an automatic raise, moves the end',
      'bought',
      'cancelled',
      'cancelled with bids',
      'cancelled with bids, forced',
      'cancelled, forced',
      'closed: no-bids',
      'closed: reserve-not-met',
      'closed: sold',
      'corrected: description',
      'corrected: title',
      'maximum-raised',
      'maximum-raised, with an automatic raise',
      'maximum-raised, with an automatic raise, moves the end',
    ])
  })
})

const answerOf = ({ type, answer }: Attempt): string =>
  `${type}: ${answer.outcome === 'refused' ? answer.code : answer.outcome}`

/** The rules that an entry covers. */
function kindOf({ event, state }: Entry): string {
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const { automatic, bidderId, extendedEndMs } = event
      const isOwn = automatic?.bidderId === bidderId
      const reply = automatic === undefined ? '' : isOwn ? ', with an automatic raise' : ', the leader replies'
      return `${event.type}${reply}${extendedEndMs === undefined ? '' : ', moves the end'}`
    }
    case 'bought':
      return event.type
    case 'cancelled':
      return `${event.type}${state.bidCount > 0 ? ' with bids' : ''}${event.isForced ? ', forced' : ''}`
    case 'corrected':
      return `corrected: ${Object.keys(event).filter((name) => name === 'title' || name === 'description')}`
    case 'closed':
      return `closed: ${event.result.outcome === 'unsold' ? event.result.reason : event.result.outcome}`
    default:
      return event satisfies never
  }
}
