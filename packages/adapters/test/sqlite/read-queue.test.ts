import { expect, test } from 'vitest'
import { createReadQueue } from '../../src/sqlite/read-queue.ts'
import { openFailing, testFile } from './support.ts'

/** A queue of which every call is pending until the test says otherwise. */
function readQueue() {
  const givenUp = new Set<number>()
  const refused: number[] = []
  const posted: number[] = []
  const pending = {
    has: (call: number) => !givenUp.has(call),
    settle: ({ call }: { call: number }) => refused.push(call),
  }
  const queue = createReadQueue(pending, ({ call }) => posted.push(call))
  const add = (call: number, signal?: { aborted: boolean }) =>
    queue.add({ call, kind: 'read', sql: 'SELECT 1', params: [] }, signal)
  return { queue, add, givenUp, refused, posted }
}

test('two reads are sent at once, and the others in their order as replies come', () => {
  const { queue, add, posted } = readQueue()
  for (const call of [1, 2, 3, 4]) add(call)
  expect(posted).toEqual([1, 2])
  // A reply to a call of another kind.
  queue.noteReply(9)
  expect(posted).toEqual([1, 2])
  queue.noteReply(2)
  expect(posted).toEqual([1, 2, 3])
  queue.noteReply(1)
  queue.noteReply(3)
  queue.noteReply(4)
  add(5)
  expect(posted).toEqual([1, 2, 3, 4, 5])
})

test('a read whose caller no longer waits when its turn comes is refused, and not sent', () => {
  const { queue, add, posted, refused } = readQueue()
  const signal = { aborted: false }
  for (const call of [1, 2]) add(call)
  add(3, signal)
  add(4, { aborted: false })
  signal.aborted = true
  queue.noteReply(1)
  expect(refused).toEqual([3])
  expect(posted).toEqual([1, 2, 4])
})

test('a read that was given up while it waited is not sent', () => {
  const { queue, add, posted, refused, givenUp } = readQueue()
  for (const call of [1, 2, 3, 4]) add(call)
  givenUp.add(1).add(3)
  queue.noteReply(1)
  expect(posted).toEqual([1, 2, 4])
  expect(refused).toEqual([])
})

test('all that waits is sent before a store is closed', async () => {
  const { open } = await testFile()
  const store = await open()
  const lists = Promise.all(Array.from({ length: 10 }, () => store.listAuctions({ order: 'newest', limit: 1 })))
  await store.close()
  expect(await lists).toHaveLength(10)
})

test('a thread that has ended takes all that waited with it', () => {
  const { queue, add, posted } = readQueue()
  for (const call of [1, 2, 3]) add(call)
  queue.clear()
  for (const call of [4, 5]) add(call)
  queue.noteReply(4)
  expect(posted).toEqual([1, 2, 4, 5])
})

test('a store that goes on after the end of its thread sends its reads', async () => {
  const { file } = await testFile()
  const { store, endThread } = await openFailing(file)
  const lists = Array.from({ length: 10 }, () => store.listAuctions({ order: 'newest', limit: 1 }))
  const settled = Promise.allSettled(lists)
  await endThread()
  await settled
  expect(await store.listAuctions({ order: 'newest', limit: 1 })).toEqual({ auctions: [], next: undefined })
  await store.close()
})

test('writes and pings wait for no read that waits', async () => {
  const { open } = await testFile()
  const store = await open()
  const order: string[] = []
  const note = (name: string) => () => void order.push(name)
  const lists = Array.from({ length: 100 }, () => store.listAuctions({ order: 'newest', limit: 1 }))
  const all = Promise.all(lists).then(note('lists'))
  await Promise.all([store.ping().then(note('ping')), store.claimIdBlock('entries', 1).then(note('write')), all])
  expect(order.at(-1)).toBe('lists')
})
