import { describe, test } from 'vitest'
import { onSqlite } from './on-sqlite.ts'
import { expectPromisesKept, promise, timeoutMs } from './promises.ts'

describe('two HTTP servers under faults, on one SQLite file', () => {
  test(promise, async () => expectPromisesKept(await onSqlite(), 10), timeoutMs)
})
