import type { Sealer } from '@auction/domain'
import { toAuctionId, toEntryId, toUserId } from '@auction/domain/ids'
import { toAmountMinor } from '@auction/domain/money'
import { createExpect } from './assertions.ts'
import { type Closable, type TestRunner, testsOf } from './runner.ts'

/** A sealer to be tested. Each of the others has the same kind of keys. */
export type SealerSubject = Closable & {
  readonly sealer: Sealer
  /** Has another key only. */
  readonly other: Sealer
  /** Seals with the key of `other`, and opens with both. */
  readonly rotated: Sealer
}

const context = { auctionId: toAuctionId(3), entryId: toEntryId(7), bidderId: toUserId(2) }

/** What every sealer must do. */
export function sealerContract(runner: TestRunner, makeSubject: () => Promise<SealerSubject>): void {
  runner.describe('a sealer', () => {
    const expect = createExpect(runner)
    const test = testsOf(runner, makeSubject)
    const amounts = [1, 99, 100_00, 2 ** 32 + 1, 1e15 - 1].map(toAmountMinor)

    /** The code of the error with which an amount does not open. */
    function codeOf(open: () => unknown): unknown {
      try {
        return open()
      } catch (error) {
        return Object(error).code
      }
    }

    test('opens each amount that it has sealed, for its bid', async ({ sealer }) => {
      for (const amount of amounts) expect(sealer.open(sealer.seal(amount, context), context)).toBe(amount)
    })

    test('seals all amounts to texts of one length', async ({ sealer }) => {
      const lengths = new Set(amounts.map((amount) => sealer.seal(amount, context).sealed.length))
      expect(lengths.size).toBe(1)
    })

    test('does not open an amount for another auction, entry or bidder', async ({ sealer }) => {
      const sealed = sealer.seal(toAmountMinor(100_00), context)
      const others = [{ auctionId: toAuctionId(4) }, { entryId: toEntryId(8) }, { bidderId: toUserId(3) }]
      for (const other of others) expect(codeOf(() => sealer.open(sealed, { ...context, ...other }))).toBe('sealed')
    })

    test('does not open a damaged text', async ({ sealer }) => {
      const { key, sealed } = sealer.seal(toAmountMinor(100_00), context)
      const swapped = (index: number) => {
        const character = sealed[index] === '0' ? '1' : '0'
        return `${sealed.slice(0, index)}${character}${sealed.slice(index + 1)}`
      }
      const damaged = [...Array.from(sealed, (_, index) => swapped(index)), sealed.slice(0, -1), `${sealed}0`, '']
      const codes = new Set(damaged.map((text) => codeOf(() => sealer.open({ key, sealed: text }, context))))
      expect([...codes]).toEqual(['sealed'])
    })

    test('opens with its own keys only, and names the key that seals', async ({ sealer, other, rotated }) => {
      const sealed = sealer.seal(toAmountMinor(100_00), context)
      expect(sealed.key).toBe(sealer.fingerprint)
      expect(codeOf(() => other.open(sealed, context))).toBe('key-missing')
      expect([sealer.has(sealed.key), other.has(sealed.key), rotated.has(sealed.key)]).toEqual([true, false, true])
      expect(rotated.open(sealed, context)).toBe(100_00)
      const later = rotated.seal(toAmountMinor(200_00), context)
      expect(later.key).toBe(other.fingerprint)
      expect(other.open(later, context)).toBe(200_00)
    })

    test('draws integers below a bound', async ({ sealer }) => {
      const drawn = Array.from({ length: 200 }, (_, index) => [index + 1, sealer.draw(index + 1)] as const)
      expect(drawn.filter(([below, each]) => !Number.isInteger(each) || each < 0 || each >= below)).toEqual([])
    })
  })
}
