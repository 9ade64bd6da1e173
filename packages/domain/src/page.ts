export const defaultPageSize = 20
export const maxPageSize = 100

/** Some items in their order, and the place from which the next page goes on, if there are more. */
export type Page<Item, Position> = { readonly items: readonly Item[]; readonly next: Position | undefined }

/** Makes a page of `limit` items from up to one more than that, which tells whether there are more. */
export function pageOf<Item, Position>(
  found: readonly Item[],
  limit: number,
  positionOf: (item: Item) => Position,
): Page<Item, Position> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, next: last !== undefined && found.length > limit ? positionOf(last) : undefined }
}
