/** Maps items to outcomes, in their order, with a bounded number under way at once. After an error none is begun. */
export async function inParallel<Item, Outcome>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let begun = 0

  async function workOff(): Promise<void> {
    try {
      for (let index = begun++; index < items.length; index = begun++) {
        outcomes[index] = await work(items[index] as Item) // There is one at each index below the length.
      }
    } catch (error) {
      begun = items.length
      throw error
    }
  }

  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workOff))
  return outcomes
}
