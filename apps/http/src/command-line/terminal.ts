/** What a command does with the process it runs in. */
export type Terminal = {
  print(text: string): void
  /** Tells a fault on one line; the process ends with code 1 then. */
  refuse(line: string): void
}

/** The terminal that the process was started on, or what stands in for one. */
export const terminal: Terminal = {
  print: (text) => void process.stdout.write(`${text}\n`),
  refuse(line) {
    process.stderr.write(`${line}\n`)
    process.exitCode = 1
  },
}
