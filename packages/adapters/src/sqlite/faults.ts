/** What went wrong in SQLite, as it is told from thread to thread. */
export type Fault = {
  readonly message: string
  /** SQLite's own code; undefined where the error is not SQLite's. */
  readonly code: number | undefined
}

/** Primary result codes, see https://sqlite.org/rescode.html */
const codes = {
  error: 1,
  busy: 5,
  locked: 6,
  readonly: 8,
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
  [codes.busy]: 'another process has held its lock for too long',
  [codes.locked]: 'another process has held its lock for too long',
  [codes.readonly]: 'the file or its folder is read-only for this process',
  [codes.corrupt]: 'the file is damaged; restore a backup',
  [codes.full]: 'there is no room left for it',
  [codes.cantOpen]: 'it can’t be opened',
  [codes.notADatabase]: 'it is not a SQLite database',
}

export function faultOf(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') {
    return { message, code: undefined }
  }
  // The primary code is the extended one's last byte.
  const reason = reasons[error.errcode & 0xff]
  return { message: reason === undefined ? message : `${reason} (${message})`, code: error.errcode }
}

export const isBusy = (error: unknown): boolean => {
  const primary = (faultOf(error).code ?? 0) & 0xff
  return primary === codes.busy || primary === codes.locked
}

/** What no state of a disk, a file or another process brings about: a fault in the statements themselves. */
const ownFaults: readonly number[] = [codes.error, codes.constraint, codes.mismatch, codes.misuse, codes.range]

export const isUnavailable = ({ code }: Fault): boolean => code !== undefined && !ownFaults.includes(code & 0xff)
