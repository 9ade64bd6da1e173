/** Maps items to outcomes, in their order, with limited concurrency. After an error it starts no other. */
export async function inParallel<Item, Outcome>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const rest = (function* () {
    yield* items.entries()
  })()
  // The loops share a generator, which an error in one loop ends.
  const workOff = async () => {
    for (const [index, item] of rest) outcomes[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workOff))
  return outcomes
}
