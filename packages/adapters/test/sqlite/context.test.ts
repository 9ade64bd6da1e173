import { StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { toAuctionId } from '@auction/domain/ids'
import { sampleAuction, sampleEntries, sampleEntry } from '@auction/testing/samples'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openWithWorker } from '../../src/sqlite/open-with-worker.ts'
import type { Call, Report } from '../../src/sqlite/protocol.ts'
import type { SqliteStore } from '../../src/sqlite/sqlite-store.ts'
import { type StartWorker, startWorker } from '../../src/sqlite/worker-connection.ts'
import { testFile } from './support.ts'

async function openWith(start: StartWorker): Promise<SqliteStore> {
  const { file } = await testFile()
  const store = await openWithWorker(file, {}, start)
  onTestFinished(() => store.close())
  return store
}

/** A store that records the requests to its thread, and the maximum number of concurrent ones of each kind. */
async function watchedStore() {
  const sent: ('read' | 'write')[] = []
  const groups: number[] = []
  const underWay = new Map<number, 'read' | 'write'>()
  const most = { read: 0, write: 0 }
  const store = await openWith((workerData) => {
    const worker = startWorker(workerData)
    const post = worker.postMessage.bind(worker)
    worker.postMessage = (call: Call) => {
      if (call !== 'close') {
        const { kind } = call.request
        sent.push(kind)
        if (call.request.kind === 'write') groups.push(call.request.writes.length)
        underWay.set(call.call, kind)
        most[kind] = Math.max(most[kind], [...underWay.values()].filter((each) => each === kind).length)
      }
      post(call)
    }
    worker.prependListener('message', (report: Report) => void ('call' in report && underWay.delete(report.call)))
    return worker
  })
  return { store, sent, groups, most }
}

const listOne = (store: SqliteStore, signal?: { readonly aborted: boolean }) =>
  store.listAuctions({ order: 'newest', limit: 1, signal })
const appendTo = (store: SqliteStore, id: number) => store.append([sampleEntry({ id, auctionId: id })])

test('appends of one turn of the event loop share a transaction, and so do those that arrive during it', async () => {
  const { store, groups, most } = await watchedStore()
  async function appendTwice(id: number): Promise<void> {
    await appendTo(store, id)
    for (let turn = 0; turn < id; turn++) await Promise.resolve()
    await appendTo(store, 100 + id)
  }
  await Promise.all(Array.from({ length: 64 }, (_, index) => appendTwice(index + 1)))
  expect(groups).toEqual([64, 64])
  const first = appendTo(store, 201)
  await new Promise((resolve) => setImmediate(resolve))
  await Promise.all([
    first,
    appendTo(store, 202),
    store.insertAuction(sampleAuction()),
    store.claimNextIdBlock('entries'),
  ])
  expect(groups).toEqual([64, 64, 1, 3])
  expect(most.write).toBe(1)
})

test('a transaction has no more than 1,000 rows, unless one append alone has more', async () => {
  const { store, groups } = await watchedStore()
  const counts = [700, 300, 1, 1_500, 1]
  const appends = counts.map((count, index) =>
    store.append(sampleEntries(count, { auctionId: index + 1, afterId: 10_000 * index })),
  )
  expect(await Promise.all(appends)).toEqual(counts)
  expect(groups).toEqual([2, 1, 1, 1])
})

test('a waiting append whose caller stops waiting is not written', async () => {
  const { store } = await watchedStore()
  const first = appendTo(store, 1)
  await new Promise((resolve) => setImmediate(resolve))
  const left = store.append(sampleEntries(1, { auctionId: 2, afterId: 9 }), { signal: { aborted: true } })
  await expect(left).rejects.toMatchObject({ code: 'store-unavailable' })
  expect([await first, await appendTo(store, 3)]).toEqual([1, 1])
  expect(await store.findHeads([sampleAuction({ id: 2 }).id])).toEqual([])
})

test('the thread has two reads at once, and others wait', async () => {
  const { store, sent, most } = await watchedStore()
  await Promise.all(Array.from({ length: 20 }, () => listOne(store)))
  expect(sent.length).toBe(20)
  expect(most.read).toBe(2)
})

test('a waiting read whose caller stops waiting is refused, and not sent', async () => {
  const { store, sent } = await watchedStore()
  const signal = { aborted: false }
  const reads = Promise.allSettled([
    listOne(store),
    listOne(store),
    listOne(store, signal),
    listOne(store, { ...signal }),
  ])
  signal.aborted = true
  expect((await reads).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(sent.length).toBe(3)
})

test('writes and pings do not wait for waiting reads', async () => {
  const { store } = await watchedStore()
  const order: string[] = []
  const note = (name: string) => () => void order.push(name)
  const lists = Array.from({ length: 100 }, () => listOne(store))
  const all = Promise.all(lists).then(note('lists'))
  await Promise.all([store.ping().then(note('ping')), store.claimNextIdBlock('entries').then(note('write')), all])
  expect(order.at(-1)).toBe('lists')
})

const busy = "Object.assign(new Error('database is locked'), { errcode: 261 })"

test('a read that meets a lock in the calling thread runs in the other one', async () => {
  const { store, sent } = await watchedStore()
  await store.append(sampleEntries(2))
  const all = vi.spyOn(StatementSync.prototype, 'all').mockImplementationOnce(() => {
    throw Object.assign(new Error('database is locked'), { errcode: 261 })
  })
  onTestFinished(() => all.mockRestore())
  expect(await store.findHeads([sampleAuction().id])).toStrictEqual(sampleEntries(2).slice(1))
  expect(sent).toEqual(['write', 'read'])
})

test('a read that meets a lock in the other thread is repeated', async () => {
  const failTwice = `
    import { StatementSync } from 'node:sqlite'
    const { all } = StatementSync.prototype
    let left = 2
    StatementSync.prototype.all = function (...params) {
      if (left-- > 0) throw ${busy}
      return all.apply(this, params)
    }`
  const execArgv = ['--import', `data:text/javascript,${encodeURIComponent(failTwice)}`]
  const store = await openWith(
    (workerData) => new Worker(new URL('../../src/sqlite/worker.ts', import.meta.url), { workerData, execArgv }),
  )
  expect(await listOne(store)).toEqual({ items: [], next: undefined })
})

test('a read of a whole ledger replaces nothing in the cache', async () => {
  const store = await openWith(startWorker)
  await store.append(sampleEntries(201))
  const listed = (limit: number) => store.listEntries(toAuctionId(1), { limit })
  const [short] = await listed(200)
  expect((await listed(200))[0]).toBe(short)
  const [long] = await listed(201)
  expect(long).toStrictEqual(short)
  expect((await listed(201))[0]).not.toBe(long)
})
