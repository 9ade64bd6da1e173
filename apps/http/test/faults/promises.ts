import type { Entry } from '@auction/domain/store'
import { expect, onTestFinished } from 'vitest'
import { faultStory } from './fault-story.ts'
import type { StoreUnderTest } from './faults.ts'

export const timeoutMs = 600_000
export const promise =
  'nothing acknowledged is lost, nothing is stored twice, followers miss nothing, and service comes back by itself'

/** The faults affect the two servers in turn; `pnpm faults` applies each fault to both. */
export async function expectPromisesKept(store: StoreUnderTest, clients: number): Promise<void> {
  // Runs after the servers end: of a test’s hooks, those registered last run first.
  onTestFinished(() => store.stop())
  const ahead = [...store.faults]
  const story = await faultStory({ store, clients, nextFault: () => ahead.shift() })
  expect(story.violations).toEqual([])
  expect(story.breaches).toEqual([])
  expect(story.exitCodes).toEqual([0, 0])
  const ends = story.ledger.filter(({ state }) => state.phase === 'closed')
  expect(ends.length).toBeGreaterThan(5)
  expect(story.ledger.length).toBeGreaterThan(3 * ends.length)
  expect(new Set(story.ledger.flatMap(formatsIn))).toEqual(new Set(formats))
}

const formats = ['maximum', 'automatic bid', 'moved end', 'bought', 'cancelled', 'closed'] as const

/** The format that an entry covers. */
const formatsIn = ({ event }: Entry): readonly (typeof formats)[number][] =>
  event.type === 'bid-placed' || event.type === 'maximum-raised'
    ? [
        ...(event.maximumMinor === undefined ? [] : ['maximum' as const]),
        ...(event.automatic === undefined ? [] : ['automatic bid' as const]),
        ...(event.extendedEndMs === undefined ? [] : ['moved end' as const]),
      ]
    : event.type === 'bought' || event.type === 'cancelled' || event.type === 'closed'
      ? [event.type]
      : []
