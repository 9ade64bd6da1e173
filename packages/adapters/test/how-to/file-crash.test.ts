import { spawn } from 'node:child_process'
import { appendFile, copyFile, mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { isStoreUnavailable } from '@auction/domain/errors'
import { sampleAuction, sampleEntries, sampleEntry } from '@auction/testing/samples'
import { expect, onTestFinished, test } from 'vitest'
import { openFileStore } from './file-store.ts'

/** The path of a file that does not exist yet, in a directory that is deleted after the test. */
async function freshPath(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'auctions-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return join(directory, 'auctions.jsonl')
}

/** A file with three appended entries of auction 1, and its size before the last one. */
async function fileOfThree() {
  const path = await freshPath()
  const store = await openFileStore(path)
  for (const entry of sampleEntries(2)) await store.append([entry])
  const sizeOfTwo = (await readFile(path)).length
  await store.append([sampleEntry({ id: 3, sequence: 3 })])
  await store.close()
  return { path, sizeOfTwo, size: (await readFile(path)).length }
}

const { id: auctionId } = sampleAuction({ id: 1 })

test('a killed process has stored every entry that it confirmed', async () => {
  const path = await freshPath()
  const writer = fileURLToPath(new URL('./file-writer.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@auction/source', writer, path], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const errors = text(child.stderr)
  const confirmed: number[] = []
  for await (const line of createInterface(child.stdout)) {
    confirmed.push(Number(line))
    if (confirmed.length === 20) child.kill('SIGKILL')
  }
  expect(confirmed.length, await errors).toBeGreaterThanOrEqual(20)

  const store = await openFileStore(path)
  const stored = (await store.listEntries(auctionId, { limit: 1_000 })).map(({ sequence }) => sequence).reverse()
  expect(stored.slice(0, confirmed.length)).toEqual(confirmed)
  // One more entry may be stored but not confirmed.
  expect(stored.length).toBeLessThanOrEqual(confirmed.length + 1)
  await store.close()
})

test('a file whose last line is incomplete keeps the other lines, and takes appends', async () => {
  const { path, sizeOfTwo, size } = await fileOfThree()
  const torn = `${path}.torn`
  for (let end = sizeOfTwo; end < size; end++) {
    await copyFile(path, torn)
    await truncate(torn, end)
    // The file system may have extended the file before it wrote the line.
    if (end % 2 === 0) await appendFile(torn, Buffer.alloc(size - end))
    const store = await openFileStore(torn)
    expect(await store.listEntries(auctionId, { limit: 9 })).toStrictEqual(sampleEntries(2).toReversed())
    expect(await store.append(sampleEntries(3).slice(2))).toBe(1)
    await store.close()
  }
})

test('a file that is damaged before its last line is refused', async () => {
  const { path } = await fileOfThree()
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('"sequence":1', '"sequence":7'))
  await expect(openFileStore(path)).rejects.toThrow(`${path} is damaged in line 1`)
})

test('an append is confirmed, and visible to reads, only when it is on the disk', async () => {
  const synced = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const store = await openFileStore(await freshPath(), async (path, flags) => {
    const file = await open(path, flags)
    const datasync = file.datasync.bind(file)
    file.datasync = async () => {
      asked.resolve()
      await synced.promise
      await datasync()
    }
    return file
  })
  const steps: string[] = []
  const appended = store.append(sampleEntries(1)).then(() => steps.push('confirmed'))
  await asked.promise
  expect(await store.findHeads([auctionId])).toEqual([])
  steps.push('synced')
  synced.resolve()
  await appended
  expect(steps).toEqual(['synced', 'confirmed'])
  expect(await store.findHeads([auctionId])).toEqual(sampleEntries(1))
  await store.close()
})

test('a second process gets an error and stores nothing', async () => {
  const path = await freshPath()
  const [first, second] = [await openFileStore(path), await openFileStore(path)]
  await first.append(sampleEntries(1))
  await expect(second.append(sampleEntries(1))).rejects.toSatisfy(isStoreUnavailable)
  await first.close()
  await second.close()
  const later = await openFileStore(path)
  expect(await later.listEntries(auctionId, { limit: 9 })).toEqual(sampleEntries(1))
  await later.close()
})
