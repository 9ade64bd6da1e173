import { onTestFinished } from 'vitest'
import { startServer, type TestServer } from './server.ts'

/** A server that creates auctions only after `release`. `begun` resolves when the first creation starts. */
export async function startHeldServer(
  environment: Readonly<Record<string, string>> = {},
): Promise<TestServer & { readonly begun: Promise<void>; release(): void }> {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const server = await startServer({
    environment,
    replaceInStore: ({ insertAuction }) => ({
      insertAuction: async (auction) => {
        begun.resolve()
        await held.promise
        return insertAuction(auction)
      },
    }),
  })
  // The server closes even if the test fails first.
  onTestFinished(() => held.resolve())
  return { ...server, begun: begun.promise, release: () => held.resolve() }
}
