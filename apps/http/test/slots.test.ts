import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSlots } from '../src/server/slots.ts'

const step = fc.record({ comes: fc.boolean(), which: fc.nat() })

test('slots hold what came and has not gone, whatever comes and goes when, and no more room than was needed at once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const slots = createSlots<{ readonly id: number }>()
      const there: { readonly slot: number; readonly item: { readonly id: number } }[] = []
      let most = 0
      for (const [id, { comes, which }] of steps.entries()) {
        const gone = comes ? undefined : there.splice(which % Math.max(1, there.length), 1)[0]
        if (gone !== undefined) slots.free(gone.slot)
        if (comes) {
          const item = { id }
          there.push({ slot: slots.fill(item), item })
        }
        most = Math.max(most, there.length)
        expect(slots.size()).toBe(there.length)
        expect(new Set(slots.items())).toEqual(new Set(there.map(({ item }) => item)))
        for (const { slot } of there) expect(slot).toBeLessThan(most)
      }
    }),
  )
})
