import { expect, test } from 'vitest'
import { createTurns } from '../src/server/turns.ts'

test('a bounded number of deliveries starts in each turn of the event loop, in order', async () => {
  const takeTurn = createTurns(8)
  const started: number[] = []
  const startAll = () => {
    for (let delivery = 0; delivery < 20; delivery++) void takeTurn().then(() => started.push(delivery))
  }
  for (let round = 0; round < 2; round++) {
    startAll()
    const counts: number[] = []
    for (let turn = 0; turn < 4; turn++) {
      await new Promise(setImmediate)
      counts.push(started.length)
    }
    expect(counts).toEqual([8, 16, 20, 20])
    expect(started.splice(0)).toEqual(Array.from({ length: 20 }, (_, delivery) => delivery))
  }
})
