import { InvalidValueError } from './validation.ts'

export const defaultPageSize = 20
export const maxPageSize = 100

/** @throws InvalidValueError. Stores differ in what they do with an invalid limit. */
export function requirePageSize({ limit }: { readonly limit: unknown }): void {
  if (Number.isSafeInteger(limit) && Number(limit) >= 1 && Number(limit) <= maxPageSize) return
  throw new InvalidValueError(`the limit of a list must be an integer from 1 to ${maxPageSize}`)
}

/** A page of items, and the position of the next page, if any. */
export type Page<Item, Position> = { readonly items: readonly Item[]; readonly next: Position | undefined }

/** Creates a page of at most `limit` items. `rows` has up to one more item, which shows that a next page exists. */
export function pageOf<Item, Position>(
  rows: readonly Item[],
  limit: number,
  positionOf: (item: Item) => Position,
): Page<Item, Position> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: last !== undefined && rows.length > limit ? positionOf(last) : undefined }
}
