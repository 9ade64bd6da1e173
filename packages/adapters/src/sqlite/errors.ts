/** An error of the file, in a form for messages between threads. */
export type SqliteError = {
  readonly message: string
  /**
   * Another process has locked the file, the file cannot be used, or it was moved; `unexpected` is a bug in this code.
   */
  readonly kind: 'busy' | 'unavailable' | 'moved' | 'unexpected'
}

/** An error that SQLite does not detect. */
export class FileError extends Error {
  readonly kind: 'unavailable' | 'moved'

  constructor(kind: 'unavailable' | 'moved', message: string) {
    super(message)
    this.kind = kind
  }
}

/** Primary result codes, see https://sqlite.org/rescode.html */
const codes = {
  error: 1,
  busy: 5,
  locked: 6,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  constraint: 19,
  mismatch: 20,
  misuse: 21,
  range: 25,
  notADatabase: 26,
} as const

const reasons: Readonly<Record<number, string>> = {
  [codes.busy]: 'another process held its lock for too long',
  [codes.locked]: 'another process held its lock for too long',
  [codes.readonly]: 'the file or its folder is read-only for this process',
  [codes.ioError]: 'its disk failed',
  [codes.corrupt]: 'the file is damaged; restore a backup',
  [codes.full]: 'its disk is full',
  [codes.cantOpen]: 'the file or its folder cannot be opened',
  [codes.notADatabase]: 'it is not a SQLite database, or its beginning is damaged',
}

/** Errors in the statements, which no disk, file or other process causes. */
const mistakes: readonly number[] = [codes.error, codes.constraint, codes.mismatch, codes.misuse, codes.range]

export function sqliteErrorOf(error: unknown): SqliteError {
  if (error instanceof FileError) return { message: error.message, kind: error.kind }
  const message = error instanceof Error ? error.message : String(error)
  const code = codeOf(error)
  if (code === undefined || mistakes.includes(code)) return { message, kind: 'unexpected' }
  const reason = reasons[code]
  const kind = isBusy(error) ? 'busy' : 'unavailable'
  return { message: reason === undefined ? message : `${reason} (${message})`, kind }
}

export function isBusy(error: unknown): boolean {
  const code = codeOf(error)
  return code === codes.busy || code === codes.locked
}

/** SQLite's primary result code, which is the last byte of the extended one; undefined for other errors. */
function codeOf(error: unknown): number | undefined {
  const isOfSqlite = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
  return isOfSqlite ? Number(error.errcode) & 0xff : undefined
}
