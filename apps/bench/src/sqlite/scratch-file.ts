import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Lends a file that is not there yet, in a folder of its own, which is removed with all that stands in it. */
export async function withScratchFile<Value>(use: (file: string) => Promise<Value>): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), 'auction-bench-'))
  try {
    return await use(join(folder, 'auctions.sqlite'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
