import { checkpointsContract } from '@auction/testing/checkpoints-contract'
import { checkpointsOf, reuseSubjects } from '@auction/testing/reused-subjects'
import type { TestServer } from '@auction/testing/server'
import { storeContract } from '@auction/testing/store-contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSubject, options, startMariadb } from './mariadb-subject.ts'

let server: TestServer
const subjects = reuseSubjects(() => makeSubject(server))
beforeAll(async () => {
  server = await startMariadb('mariadbd')
})
afterAll(async () => {
  await subjects.close()
  await server.stop()
})

storeContract({ describe, test, expect }, subjects.makeSubject, options)
checkpointsContract({ describe, test, expect }, checkpointsOf(subjects.makeSubject))
