/** The number of items of a list before the first one for which a condition is false, as for all that follow it. */
export function countWhile<Item>(list: readonly Item[], isTrue: (item: Item) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = list[middle]
    if (item !== undefined && isTrue(item)) low = middle + 1
    else high = middle
  }
  return low
}
