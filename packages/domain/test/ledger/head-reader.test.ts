import { describe, expect, test } from 'vitest'
import { type AuctionId, toAuctionId } from '../../src/ids.ts'
import type { Entry } from '../../src/ledger/entry.ts'
import { createHeadReader } from '../../src/ledger/head-reader.ts'
import { sampleEntry } from '../../src/testing/samples.ts'
import { everythingSettled } from '../support/clocks.ts'
import { noAnswer } from '../support/service.ts'

type HeldRead = {
  readonly ids: readonly AuctionId[]
  readonly answer: (heads: readonly Entry[]) => void
  readonly fail: (error: unknown) => void
}

function createHeldReader() {
  const reads: HeldRead[] = []
  const findHeads = (ids: readonly AuctionId[]) =>
    new Promise<readonly Entry[]>((answer, fail) => reads.push({ ids, answer, fail }))
  const { read } = createHeadReader({ findHeads })
  const outcome = async (id: number) => {
    try {
      return (await read(toAuctionId(id)))?.sequence
    } catch (error) {
      return String(error)
    }
  }
  const next = async (): Promise<HeldRead> => {
    await everythingSettled()
    const held = reads.shift()
    if (held === undefined) throw new Error('nothing is read')
    return held
  }
  return { reads, outcome, next }
}

const head = (auctionId: number, sequence: number) => sampleEntry({ id: auctionId, auctionId, sequence })

describe('heads', () => {
  test('that are asked for while others are read are read together, after that', async () => {
    const { reads, outcome, next } = createHeldReader()
    const first = outcome(1)
    const held = await next()
    const others = [outcome(1), outcome(2), outcome(3)]
    await everythingSettled()
    expect(reads).toEqual([])
    held.answer([head(1, 5)])
    const group = await next()
    expect(group.ids).toEqual([1, 2, 3])
    group.answer([head(3, 7), head(1, 6)])
    expect(await Promise.all([first, ...others])).toEqual([5, 6, undefined, 7])
  })

  test('are read a hundred at once, at the most', async () => {
    const { outcome, next } = createHeldReader()
    const all = Array.from({ length: 152 }, (_, index) => outcome(index + 1))
    const sizes: number[] = []
    for (let count = 0; count < 3; count++) {
      const held = await next()
      sizes.push(held.ids.length)
      held.answer([])
    }
    expect(sizes).toEqual([1, 100, 51])
    await Promise.all(all)
  })

  test('fail together when the store can not be asked, and are read again for who comes next', async () => {
    const { outcome, next } = createHeldReader()
    const first = outcome(1)
    const held = await next()
    const others = [outcome(2), outcome(3)]
    held.answer([])
    ;(await next()).fail(noAnswer())
    expect(await Promise.all([first, ...others])).toEqual([undefined, String(noAnswer()), String(noAnswer())])
    const later = outcome(2)
    ;(await next()).answer([head(2, 1)])
    expect(await later).toBe(1)
  })

  test('fail alone where one of them can not be read', async () => {
    const { outcome, next } = createHeldReader()
    const first = outcome(1)
    const held = await next()
    const others = [outcome(2), outcome(3)]
    held.answer([])
    ;(await next()).fail(new Error('faulty'))
    ;(await next()).fail(new Error('faulty'))
    ;(await next()).answer([head(3, 1)])
    expect(await Promise.all([first, ...others])).toEqual([undefined, 'Error: faulty', 1])
  })
})
