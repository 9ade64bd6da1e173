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

type TypeOf = (value: unknown) => string | undefined

/** One line for each field of some values, at every level: its path and its type. `typeOf` names types of a database. */
export function shapeOf(name: string, values: readonly unknown[], typeOf: TypeOf = () => undefined): readonly string[] {
  return [...new Set(values.flatMap((value) => fieldsOf(name, value, typeOf)))].toSorted()
}

function fieldsOf(path: string, value: unknown, typeOf: TypeOf): readonly string[] {
  const type = typeOf(value) ?? (value === null ? 'null' : typeof value)
  if (type !== 'object') return [`${path} ${type}`]
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(`${path}[]`, item, typeOf))
  return Object.entries(Object(value)).flatMap(([name, field]) => fieldsOf(`${path}.${name}`, field, typeOf))
}

/**
 * Compares what a store keeps with what was recorded for the number of its format. A difference needs a new number, and
 * a way to upgrade: a program reads the data of others with the same number. Recorded shapes of earlier numbers stay.
 */
export async function expectRecordedShape(name: string, format: unknown, lines: readonly string[]): Promise<void> {
  const file = `${import.meta.dirname}/stored-shapes/${name}-${String(format)}.txt`
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(file)
}
