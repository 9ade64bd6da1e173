import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { StoreUnavailableError } from '@auction/domain/store-unavailable'

/** A file of texts, a line each. */
export type Journal = {
  /** The text is on the disk when this returns. @throws StoreUnavailableError when the file can't be written */
  append(text: string): Promise<void>
  close(): Promise<void>
}

/** What a journal needs of an open file: a test may put one that fails in its place. */
export type JournalFile = {
  readFile(): Promise<Buffer>
  appendFile(text: string): Promise<void>
  datasync(): Promise<void>
  truncate(size: number): Promise<void>
  stat(): Promise<{ readonly size: number }>
  close(): Promise<void>
}
export type OpenFile = (path: string, flags: 'a+') => Promise<JournalFile>

const checksumOf = (text: string) => crc32(text).toString(16).padStart(8, '0')
const lineOf = (text: string) => `${checksumOf(text)} ${text}\n`

/** The text of a line, or undefined for what no append has written to its end. */
function textOf(line: string): string | undefined {
  const text = line.slice(9)
  return line.startsWith(`${checksumOf(text)} `) ? text : undefined
}

/** Opens a journal, and gives the texts that it has to `replay`, in their order. @throws Error when the file is damaged */
export async function openJournal(
  path: string,
  replay: (text: string) => void,
  openFile: OpenFile = open,
): Promise<Journal> {
  const file = await openFile(path, 'a+')
  let size: number
  try {
    size = await readLines(path, file, replay)
    await file.truncate(size)
    await file.datasync()
    await syncDirectory(dirname(path))
  } catch (error) {
    await file.close()
    throw error
  }
  let isClean = true

  return {
    async append(text) {
      const line = lineOf(text)
      try {
        // A write that failed may have left a part of its line. That goes, or the next line would stand behind it.
        if (!isClean) await file.truncate(size)
        else if ((await file.stat()).size !== size) throw new Error('somebody else has written to the file')
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

/** Reads the lines, and returns the size of those that are whole: the last one may be torn, as nobody was told that it is stored. */
async function readLines(path: string, file: JournalFile, replay: (text: string) => void): Promise<number> {
  const bytes = await file.readFile()
  let size = 0
  for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', size)) {
    const text = textOf(bytes.toString('utf8', size, end))
    if (text === undefined) break
    replay(text)
    size = end + 1
  }
  const behind = bytes.toString('utf8', size).split('\n').slice(1)
  if (behind.every((line) => textOf(line) === undefined)) return size
  throw new Error(`${path} is damaged at byte ${size}: the lines behind it are whole`)
}

/** The name of a new file is on the disk when its directory is. Windows does that by itself, and opens no directory. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
