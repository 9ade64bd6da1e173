import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBag } from '../src/server/bag.ts'

const step = fc.record({ comes: fc.boolean(), which: fc.nat() })

test('a bag holds what came and has not gone, each once and without a gap, whatever comes and goes when', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const bag = createBag<{ readonly id: number }>()
      const there: { readonly place: ReturnType<typeof bag.add>; readonly item: { readonly id: number } }[] = []
      for (const [id, { comes, which }] of steps.entries()) {
        if (comes) {
          const item = { id }
          there.push({ place: bag.add(item), item })
        } else {
          const [gone] = there.splice(which % Math.max(1, there.length), 1)
          if (gone !== undefined) bag.remove(gone.place)
        }
        expect(bag.items.toSorted((a, b) => a.id - b.id)).toEqual(there.map(({ item }) => item))
      }
    }),
  )
})
