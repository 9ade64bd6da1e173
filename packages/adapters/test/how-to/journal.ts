import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { StoreUnavailableError } from '@auction/domain/errors'

export const lineOf = (text: string) => `${crc32(text)} ${text}\n`

/** The text of a line, or undefined for a line that is incomplete or damaged. */
export function textOf(line: string) {
  const text = line.slice(line.indexOf(' ') + 1)
  return `${line}\n` === lineOf(text) ? text : undefined
}

/** Opens a file of texts, one per line, and passes them to `replay` in order. */
export async function openJournal(path: string, replay: (text: string) => void, openFile = open) {
  const file = await openFile(path, 'a+')
  const texts = (await file.readFile('utf8')).split('\n').map(textOf)
  const whole = texts.filter((text) => text !== undefined)
  // Only the last line may be incomplete: its append was never confirmed.
  if (texts.indexOf(undefined) < whole.length) {
    await file.close()
    throw new Error(`${path} is damaged in line ${texts.indexOf(undefined) + 1}`)
  }
  for (const text of whole) replay(text)
  let size = Buffer.byteLength(whole.map(lineOf).join(''))
  await file.truncate(size)
  let isClean = true
  // The name of a new file is durable after its directory is synced.
  const directory = await open(dirname(path))
  await directory.sync()
  await directory.close()

  return {
    /** Resolves when the text is on the disk. */
    async append(text: string) {
      const line = lineOf(text)
      try {
        // A failed write may have left a part of its line.
        if (!isClean) await file.truncate(size)
        else if ((await file.stat()).size !== size) throw new Error('another process has written to the file')
        isClean = false
        await file.appendFile(line)
        await file.datasync()
      } catch (cause) {
        throw new StoreUnavailableError(`${path} could not be written`, { cause })
      }
      isClean = true
      size += Buffer.byteLength(line)
    },
    close: () => file.close(),
  }
}
