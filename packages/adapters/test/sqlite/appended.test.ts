import { backup, DatabaseSync } from 'node:sqlite'
import { maxAppended, type Store } from '@auction/domain/store'
import { sampleEntry } from '@auction/testing/samples'
import { expect, onTestFinished, test } from 'vitest'
import { openFailing, testFile } from './support.ts'

const append = (store: Store, auctionId: number) => store.append([sampleEntry({ id: auctionId, auctionId })])

const appendAll = (store: Store, first: number, last: number) =>
  Promise.all(Array.from({ length: last - first + 1 }, (_, index) => append(store, first + index)))

const markOf = async ({ appendedSince }: Store) => (await appendedSince?.(undefined))?.mark

const auctionsSince = async ({ appendedSince }: Store, mark: string | undefined) =>
  (await appendedSince?.(mark))?.appended?.map(({ auctionId }) => Number(auctionId))

test('the list of appends is short, and a mark from before it is not known', async () => {
  const { file, open } = await testFile()
  const store = await open()
  const first = await markOf(store)
  await appendAll(store, 1, 3 * maxAppended)
  const mark = await markOf(store)
  await append(store, 20_000)
  expect(await auctionsSince(store, first)).toBe(undefined)
  expect(await auctionsSince(store, mark)).toEqual([20_000])
  const database = new DatabaseSync(file)
  const listed = database.prepare('SELECT appended FROM appends').all()
  database.close()
  const appends = listed.flatMap(({ appended }) => JSON.parse(String(appended)))
  expect(appends.length).toBeLessThan(2 * maxAppended + 2_000)
})

test('a mark stays after the end of the thread, and has appends of a thread whose response was lost', async () => {
  const { store, endThread, failNext } = await openFailing((await testFile()).file)
  onTestFinished(() => store.close())
  await append(store, 1)
  const mark = await markOf(store)
  await endThread()
  await append(store, 2)
  failNext('the end of its thread before a response')
  await expect(append(store, 3)).rejects.toThrow()
  expect(await auctionsSince(store, mark)).toEqual([2, 3])
})

test('a mark of appends that a restored backup lacks is not known', async () => {
  const { folder, file, open } = await testFile()
  const store = await open()
  await append(store, 1)
  const before = await markOf(store)
  await copyTo(file, `${folder}/backup`)
  await append(store, 2)
  const mark = await markOf(store)
  await copyTo(`${folder}/backup`, file)
  expect(await auctionsSince(store, mark)).toBe(undefined)
  await append(store, 3)
  await append(store, 4)
  expect(await auctionsSince(store, mark)).toBe(undefined)
  expect(await auctionsSince(store, before)).toEqual([3, 4])
})

async function copyTo(from: string, to: string): Promise<void> {
  const database = new DatabaseSync(from)
  await backup(database, to)
  database.close()
}
