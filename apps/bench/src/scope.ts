/** Runs something when the scope ends; what was deferred last runs first. */
export type Defer = (cleanup: () => unknown) => void

const open = new Set<AsyncDisposableStack>()

/** Runs `use`, and then what it has deferred. */
export async function scoped<Value>(use: (defer: Defer) => Promise<Value>): Promise<Value> {
  const stack = new AsyncDisposableStack()
  open.add(stack)
  try {
    return await use((cleanup) => stack.defer(async () => void (await cleanup())))
  } finally {
    // A server that is gone can't be cleaned up, and what was measured on it before counts.
    await stack.disposeAsync().catch(() => undefined)
    open.delete(stack)
  }
}

/** Ends all scopes, for a run that is interrupted. */
export async function endAllScopes(): Promise<void> {
  for (const stack of [...open].reverse()) await stack.disposeAsync().catch(() => undefined)
}
