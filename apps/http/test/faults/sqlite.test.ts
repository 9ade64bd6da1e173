import { describe, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { onSqlite } from './on-sqlite.ts'
import { expectPromisesKept, promise, timeoutMs } from './promises.ts'

describe('two HTTP servers under faults, on one SQLite file', () => {
  test(promise, async () => expectPromisesKept(await onSqlite(), isLong ? 10 : 4), timeoutMs)
})
