import { randomBytes } from 'node:crypto'
import { toAuctionId, toEntryId, toUserId } from '@auction/domain/ids'
import { toAmountMinor } from '@auction/domain/money'
import { sealerContract } from '@auction/testing/sealer-contract'
import { describe, expect, test } from 'vitest'
import { createMemorySealer } from '../../src/memory/memory-sealer.ts'
import { createSealer } from '../../src/sealer/sealer.ts'

const runner = { describe, test, expect }
const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const context = { auctionId: toAuctionId(3), entryId: toEntryId(7), bidderId: toUserId(2) }

describe('in memory', () => {
  sealerContract(runner, async () => ({
    sealer: createMemorySealer('one'),
    other: createMemorySealer('two'),
    rotated: createMemorySealer('two', 'one'),
  }))
})

describe('with keys', () => {
  sealerContract(runner, async () => ({
    sealer: createSealer([one]),
    other: createSealer([two]),
    rotated: createSealer([two, one]),
  }))

  test('the text of an amount differs each time, and contains neither the amount nor the key', () => {
    const sealer = createSealer([one])
    const texts = Array.from({ length: 100 }, () => sealer.seal(toAmountMinor(123_456_789), context).sealed)
    expect(new Set(texts).size).toBe(100)
    for (const text of texts)
      expect([text.length, Buffer.from(text, 'base64url').includes('123456789')]).toEqual([48, false])
    expect(one.toString('base64url')).not.toContain(sealer.fingerprint)
  })

  test('an amount that was sealed by this version opens in later ones', () => {
    const sealed = 'igrhP-Zr2SiRc9ZuL4V0_MF6tEJETRwip-KfECmWDhrXrRYv'
    const { fingerprint = '' } = createSealer([one])
    expect([fingerprint, createSealer([one]).open({ key: fingerprint, sealed }, context)]).toEqual([
      'bVAYqeGwkKUq',
      12_345,
    ])
  })

  test.each([
    { what: 'no key', keys: [] },
    { what: 'a short key', keys: [randomBytes(31)] },
    { what: 'two equal keys', keys: [one, Buffer.from(one)] },
  ])('$what is an error', ({ keys }) => {
    expect(() => createSealer(keys)).toThrow(TypeError)
  })
})
