export const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Prints each error on a line of standard error; the process exits with code 1. */
export function fail(...lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`)
  process.exitCode = 1
}

/** A thrown value on one line. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
