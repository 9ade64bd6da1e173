import { expect, test } from 'vitest'
import { createNewest } from '../page/newest.js'
import { auction as sample } from './sample.ts'

const auction = { ...sample, currentPrice: 10, bidCount: 4 }
const withdrawn = { ...auction, currentPrice: 5, bidCount: 1 }

const openStates = () => {
  const prices: (number | undefined)[] = []
  const states = createNewest(({ currentPrice }) => void prices.push(currentPrice))
  return { states, prices }
}

test('a later event counts, even if its price is lower, and an earlier one does not', () => {
  const { states, prices } = openStates()
  states.noteEvent(auction, 7, 1_000)
  states.noteEvent(withdrawn, 8, 1_100)
  states.noteEvent(auction, 7, 1_050)
  expect(prices).toEqual([10, 5])
})

test('a read counts if nothing came since it began and the service sent it later', () => {
  const { states, prices } = openStates()
  states.noteEvent(auction, 7, 1_000)
  const late = states.startReading()
  states.startReading()(withdrawn, 1_100)
  states.noteEvent({ ...auction, currentPrice: 20 }, 9, 1_200)
  late(withdrawn, 1_300)
  // A cache had it.
  states.startReading()(withdrawn, 1_100)
  expect(prices).toEqual([10, 5, 20])
})

test('a result is never undone', () => {
  const { states, prices } = openStates()
  states.noteEvent({ ...auction, result: { outcome: 'unsold', reason: 'no-bids' } }, 9, 1_000)
  states.startReading()(auction, 2_000)
  expect(prices).toEqual([10])
})

test('what only the user may see is kept while the standing is the same', () => {
  const { states } = openStates()
  const own = { youLead: true, yourMaximum: 50, reservePrice: 90, description: 'Oak' }
  states.startReading()({ ...auction, ...own }, 1_000)
  states.noteEvent(auction, 7, 1_100)
  expect(states.get(1)).toMatchObject(own)
  states.noteEvent(withdrawn, 8, 1_200)
  expect(states.get(1)).toMatchObject({ reservePrice: 90, description: 'Oak' })
  expect(states.get(1)).not.toHaveProperty('youLead')
  // An older read has it, too.
  states.noteEvent(auction, 9, 1_300)
  states.startReading()({ ...auction, youLead: false }, 1_200)
  expect(states.get(1)).toMatchObject({ youLead: false })
})
