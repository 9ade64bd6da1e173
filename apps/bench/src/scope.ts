/** Runs a function when the scope ends; the last deferred function runs first. */
export type Defer = (cleanup: () => unknown) => void

const open = new Set<AsyncDisposableStack>()

/** Runs `use`, and then its deferred functions. */
export async function scoped<Value>(use: (defer: Defer) => Promise<Value>): Promise<Value> {
  const stack = new AsyncDisposableStack()
  open.add(stack)
  /** Cleans up at once what starts while an interrupted run ends. */
  const defer: Defer = (cleanup) => void (stack.disposed ? cleanup() : stack.defer(async () => void (await cleanup())))
  try {
    return await use(defer)
  } finally {
    // A cleanup fails if its server has exited. Measurements before that count.
    await stack.disposeAsync().catch(() => undefined)
    open.delete(stack)
  }
}

/** Ends all scopes when a run is interrupted. */
export async function endAllScopes(): Promise<void> {
  for (const stack of [...open].reverse()) await stack.disposeAsync().catch(() => undefined)
}
