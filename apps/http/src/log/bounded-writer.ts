import type { DestinationStream } from 'pino'

/**
 * Writes bytes at once, as far as they are taken, and returns how many were.
 * @throws Error with the code EAGAIN when none are taken for now, or with another code, such as ENOSPC or EPIPE
 */
export type WriteBytes = (bytes: Uint8Array) => number

export type BoundedWriter = DestinationStream & {
  /** How many bytes wait for their reader; never more than the bound. */
  waitingBytes(): number
  /** Writes what is taken at once, without waiting for the rest. */
  flush(): void
  /** Writes until nothing waits, but no longer than this. */
  drain(longestMs: number): Promise<void>
}

export type WriterOptions = {
  /** Lines beyond this are dropped. */
  readonly maxWaitingBytes: number
  /** Is told how many lines were dropped, once all that waited is written. */
  readonly onDropped: (lines: number) => void
}

const writeAtBytes = 64 * 1024
const retryWhenFullMs = 10
const retryAfterErrorMs = 1_000

/**
 * Gathers lines and writes them once a turn of the event loop. When their reader stalls, it keeps as many as it may, drops what
 * comes after them until they are written, and then says how many it has dropped: the service never waits for its log.
 *
 * Not pino's own destination: that writes 16 KiB a turn, so that it falls behind a busy server whose reader is quick; when its
 * reader stalls, it blocks a thread that Node waits for when it exits, or waits for ever itself.
 */
export function createBoundedWriter(writeBytes: WriteBytes, options: WriterOptions): BoundedWriter {
  const { maxWaitingBytes, onDropped } = options
  // What was not taken the last time, and what has come since.
  let rest: Uint8Array = new Uint8Array()
  let lines = ''
  let linesBytes = 0
  let dropped = 0
  let isPlanned = false
  let retry: NodeJS.Timeout | undefined

  const waitingBytes = () => rest.length + linesBytes

  function write(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (dropped > 0 || waitingBytes() + bytes > maxWaitingBytes) dropped += 1
    else {
      lines += line
      linesBytes += bytes
    }
    if (retry !== undefined) return
    if (linesBytes >= writeAtBytes) flush()
    else if (!isPlanned) {
      isPlanned = true
      setImmediate(flush)
    }
  }

  function flush(): void {
    isPlanned = false
    clearTimeout(retry)
    retry = undefined
    try {
      while (waitingBytes() > 0) writeSome()
    } catch (error) {
      // Whatever the cause, the log must not end the service, and a later try may succeed: a reader reads on, a disk has room.
      const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
      retry = setTimeout(flush, isFull ? retryWhenFullMs : retryAfterErrorMs).unref()
      return
    }
    if (dropped > 0) tellDropped()
  }

  function writeSome(): void {
    if (rest.length === 0) {
      rest = Buffer.from(lines)
      lines = ''
      linesBytes = 0
    }
    rest = rest.subarray(writeBytes(rest))
  }

  function tellDropped(): void {
    const count = dropped
    dropped = 0
    onDropped(count)
  }

  return {
    write,
    waitingBytes,
    flush,
    async drain(longestMs) {
      const untilMs = performance.now() + longestMs
      for (flush(); waitingBytes() > 0 && performance.now() < untilMs; flush()) {
        await new Promise((resolve) => setTimeout(resolve, retryWhenFullMs))
      }
    },
  }
}
