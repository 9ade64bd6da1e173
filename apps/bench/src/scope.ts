/** Runs something when the scope ends; what was deferred last runs first. */
export type Defer = (cleanup: () => unknown) => void

const open = new Set<(() => unknown)[]>()

/** Runs `use`, and then what it has deferred. */
export async function scoped<Value>(use: (defer: Defer) => Promise<Value>): Promise<Value> {
  const cleanups: (() => unknown)[] = []
  open.add(cleanups)
  try {
    return await use((cleanup) => void cleanups.push(cleanup))
  } finally {
    await end(cleanups)
    open.delete(cleanups)
  }
}

/** Ends all scopes, for a run that is interrupted. */
export async function endAllScopes(): Promise<void> {
  for (const cleanups of [...open].reverse()) await end(cleanups)
}

async function end(cleanups: (() => unknown)[]): Promise<void> {
  for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) {
    try {
      await cleanup()
    } catch {
      // A server that is gone can't be cleaned up, and what was measured on it before counts.
    }
  }
}
