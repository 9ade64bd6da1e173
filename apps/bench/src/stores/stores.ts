import { freePort, startByCommand, untilItWorks } from '../resources.ts'
import type { Defer } from '../scope.ts'
import type { BenchStore } from './bench-store.ts'
import { memory } from './memory.ts'
import { mongodb } from './mongodb.ts'
import { postgresql } from './postgresql.ts'
import { sqlite } from './sqlite.ts'

/** In the order in which they are measured: memory first, as code that has met other stores is compiled for all of them. */
const stores = { memory, sqlite, postgresql, mongodb } as const satisfies Record<string, BenchStore>
export type StoreKind = keyof typeof stores
export const storeKinds = Object.keys(stores) as readonly StoreKind[] // The names above.
export const storeOf = (kind: StoreKind): BenchStore => stores[kind]

/** What the user asks for. */
export type StoreRequest = {
  readonly kind: StoreKind
  /** What the results call it. */
  readonly name: string
  /** Of a server: its URI, or a command that starts one. */
  readonly at?: string | undefined
}

/** A store that answers, with the URI of its server. */
export type Subject = StoreRequest & { readonly store: BenchStore; readonly uri: string; readonly version: string }

export async function connect(request: StoreRequest, defer: Defer): Promise<Subject> {
  const { kind, at = '' } = request
  const store = storeOf(kind)
  const { server } = store
  if (server === undefined || /^[\w+]+:\/\//.test(at)) {
    return { ...request, store, uri: at, version: await store.version(at) }
  }
  const port = await freePort()
  const uri = server.uriOf(port)
  const child = await startByCommand(at, port, defer)
  return { ...request, store, uri, version: await untilItWorks(child, () => store.version(uri)) }
}
