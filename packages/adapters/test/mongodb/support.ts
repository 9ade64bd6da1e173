import { ownDatabase } from '../../../../tools/vitest/mongodb.ts'
import { connectMongoStore, type MongoStore } from '../../src/mongodb/mongo-store.ts'

/** Stores on one database, each as another process has it, and all gone with `close`. */
export type Stores = { readonly open: () => Promise<MongoStore>; readonly close: () => Promise<void> }

export function storesOnOneDatabase(): Stores {
  const { uri, drop } = ownDatabase()
  const opened: MongoStore[] = []
  return {
    async open() {
      const store = await connectMongoStore(uri)
      opened.push(store)
      return store
    },
    async close() {
      await Promise.all(opened.map((store) => store.close()))
      await drop()
    },
  }
}
