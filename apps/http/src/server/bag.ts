/** Where an item is in its bag, which changes as others leave. */
type Place = { index: number }

/** Things that come and go, thousands a second, in no order. */
export type Bag<Item extends object> = {
  add(item: Item): Place
  /** Removes what was added with this place, once. */
  remove(place: Place): void
  readonly items: readonly Item[]
}

/**
 * Not a Set: each time that one makes a new table, it leaves the old one behind, whose items then live until the next full garbage
 * collection, with all that they refer to. For requests, that made a third of the processor's time.
 */
export function createBag<Item extends object>(): Bag<Item> {
  const items: Item[] = []
  const places: Place[] = []

  return {
    add(item) {
      const place = { index: items.length }
      items.push(item)
      places.push(place)
      return place
    },
    remove(place) {
      const lastItem = items.pop()
      const lastPlace = places.pop()
      if (lastItem === undefined || lastPlace === undefined || lastPlace === place) return
      // The last one takes over the place, so that there is never a gap to look through.
      items[place.index] = lastItem
      places[place.index] = lastPlace
      lastPlace.index = place.index
    },
    items,
  }
}
