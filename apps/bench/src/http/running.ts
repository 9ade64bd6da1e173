type Stoppable = { stop(): Promise<unknown> }

/** Notes what was started, so that it is stopped in the end. */
export type NoteStarted = <Started extends Stoppable>(process: Started) => Started

/** Runs something that starts processes, and stops them all, whatever comes of it. */
export async function withProcesses<Value>(use: (started: NoteStarted) => Promise<Value>): Promise<Value> {
  const running: Stoppable[] = []
  try {
    return await use((process) => {
      running.push(process)
      return process
    })
  } finally {
    await Promise.all(running.map((process) => process.stop()))
  }
}
