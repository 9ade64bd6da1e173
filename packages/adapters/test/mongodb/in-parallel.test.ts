import { expect, test } from 'vitest'
import { inParallel } from '../../src/mongodb/in-parallel.ts'

/** Work that ends when the test decides. */
function heldWork() {
  const begun: number[] = []
  const ends: { readonly resolve: (value: string) => void; readonly reject: (error: Error) => void }[] = []
  const work = (item: number): Promise<string> => {
    begun.push(item)
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    ends.push({ resolve, reject })
    return promise
  }
  return { begun, ends, work }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

test('the number of concurrent calls is limited, and the outcomes are in the order of the items', async () => {
  const { begun, ends, work } = heldWork()
  const all = inParallel(2, [1, 2, 3, 4], work)
  await turn()
  expect(begun).toEqual([1, 2])
  ends[1]?.resolve('b')
  await turn()
  expect(begun).toEqual([1, 2, 3])
  ends[2]?.resolve('c')
  ends[0]?.resolve('a')
  await turn()
  ends[3]?.resolve('d')
  expect(await all).toEqual(['a', 'b', 'c', 'd'])
})

test('the first error is the outcome, and no call starts after it', async () => {
  const { begun, ends, work } = heldWork()
  const all = inParallel(2, [1, 2, 3, 4], work)
  ends[0]?.reject(new Error('first'))
  await expect(all).rejects.toThrow('first')
  ends[1]?.resolve('b')
  await turn()
  expect(begun).toEqual([1, 2])
})

test('no items need no call', async () => {
  const { begun, work } = heldWork()
  expect(await inParallel(3, [], work)).toEqual([])
  expect(begun).toEqual([])
})
