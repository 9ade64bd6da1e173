import type { Checkpoints } from '@auction/delivery/checkpoints'
import type { Store } from '@auction/domain/store'
import { sampleAuction, sampleClosed, sampleEntry, sampleKey } from '@auction/testing/samples'
import { expect } from 'vitest'

/**
 * Stores something of each kind, with the fields that every auction and entry has: a new optional field of these needs
 * no new format, since stored data without it stays valid.
 */
export async function storeOneOfEach(store: Store & { readonly checkpoints: Checkpoints }): Promise<void> {
  await store.insertAuction({ ...sampleAuction({ title: 'A vase', description: 'Blue.' }), requestKey: sampleKey('a') })
  const entries = [sampleEntry({ requestKey: 'a' }), sampleClosed({ id: 2, sequence: 2 })]
  expect(await store.append(entries)).toBe(2)
  await store.claimNextIdBlock('auctions')
  await store.checkpoints.save([{ auctionId: sampleAuction().id, name: 'shop', sequence: 2 }])
}

/** The types of a value's fields, at every level. `typeOf` names those of a database; other objects have fields. */
export function shapeOf(value: unknown, typeOf: (value: unknown) => string | undefined = () => undefined): unknown {
  const type = typeOf(value)
  if (type !== undefined) return type
  if (value === null) return 'null'
  if (Array.isArray(value)) {
    const shapes = value.map((item) => shapeOf(item, typeOf))
    return [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()]
  }
  if (typeof value !== 'object') return typeof value
  const fields = Object.entries(value).map(([name, field]) => [name, shapeOf(field, typeOf)] as const)
  return Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Compares what a store keeps with what was recorded for the number of its format. A difference needs a new number, and
 * a way to upgrade: a program reads the data of others with the same number. Recorded shapes of earlier numbers stay.
 */
export async function expectRecordedShape(name: string, format: unknown, shape: unknown): Promise<void> {
  const file = `${import.meta.dirname}/stored-shapes/${name}-${String(format)}.json`
  await expect(`${JSON.stringify(shape, null, 2)}\n`).toMatchFileSnapshot(file)
}
