/** Things that come and go, thousands a second, and can be looked through. */
export type Slots<Item extends object> = {
  /** Keeps an item until the slot that is returned is freed. */
  fill(item: Item): number
  free(slot: number): void
  /** How many slots are filled. */
  size(): number
  items(): Iterable<Item>
}

/**
 * Not a Set: each time that one makes a new table, it leaves the old one behind, whose items then live until the next full garbage
 * collection, with all that they refer to. For requests, that made a third of the processor's time.
 */
export function createSlots<Item extends object>(): Slots<Item> {
  const slots: (Item | undefined)[] = []
  const freed: number[] = []

  return {
    fill(item) {
      const slot = freed.pop() ?? slots.length
      slots[slot] = item
      return slot
    },
    free(slot) {
      slots[slot] = undefined
      freed.push(slot)
    },
    size: () => slots.length - freed.length,
    *items() {
      for (const item of slots) if (item !== undefined) yield item
    },
  }
}
