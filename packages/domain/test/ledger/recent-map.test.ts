import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRecentMap } from '../../src/ledger/recent-map.ts'

const keys = Array.from({ length: 50 }, (_, key) => key)

/** The keys that the map still has a value for, looked up in copies, since a look counts as a use. */
const keptAfter = (max: number, used: readonly number[]): readonly number[] =>
  keys.filter((key) => {
    const map = createRecentMap<number, string>(max)
    for (const each of used) map.set(each, `value ${each}`)
    return map.get(key) !== undefined
  })

const anyUses = fc.array(fc.constantFrom(...keys), { maxLength: 200 })
const anyMax = fc.integer({ min: 1, max: 60 })

describe('a map of what was used recently', () => {
  test('never has more than it may, and always the half that was used last', () => {
    fc.assert(
      fc.property(anyMax, anyUses, (max, used) => {
        const kept = keptAfter(max, used)
        expect(kept.length).toBeLessThanOrEqual(Math.max(2, max))
        const usedLast = [...new Set(used.toReversed())].slice(0, Math.max(1, Math.floor(max / 2)))
        expect(kept).toEqual(expect.arrayContaining(usedLast))
      }),
    )
  })

  test('returns what was set last, or nothing', () => {
    const anyStep = fc.record({ does: fc.constantFrom('get', 'set', 'delete'), key: fc.nat(9) })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(anyStep, { maxLength: 300 }), (max, steps) => {
        const map = createRecentMap<number, number>(max)
        const right = new Map<number, number>()
        for (const [index, { does, key }] of steps.entries()) {
          if (does === 'set') {
            map.set(key, index)
            right.set(key, index)
          } else if (does === 'delete') {
            map.delete(key)
            right.delete(key)
          } else expect([right.get(key), undefined]).toContain(map.get(key))
        }
      }),
    )
  })

  test('counts a look as a use', () => {
    const map = createRecentMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    expect(map.get('a')).toBe(1)
    map.set('c', 3)
    expect([map.get('a'), map.get('c')]).toEqual([1, 3])
  })
})
