/**
 * The thread that owns the writing connection, so that no commit holds up the event loop. It imports nothing but Node's and its
 * neighbours: so it runs from sources and from a build alike, whatever flags the process was started with.
 */
import { flushCompileCache } from 'node:module'
import type { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { faultOf } from './faults.ts'
import { identityOf, refuseMoved } from './file-identity.ts'
import { openDatabase, refuseOtherFormat } from './open-database.ts'
import type { Call, Reply, Report, WorkerSettings, Write } from './protocol.ts'
import { createStatements } from './statements.ts'
import type { Row } from './values.ts'
import { createWriteQueue } from './write-queue.ts'

function start({ file, timeoutMs, identity }: WorkerSettings, port: MessagePort): void {
  const report = (message: Report) => port.postMessage(message)
  try {
    if (identity !== undefined) refuseMoved(file, identity)
    const database = openDatabase(file, timeoutMs * 0.8)
    const opened = identity ?? identityOf(file)
    serve(database, { file, timeoutMs, identity: opened }, port)
    report({ opened })
    // Where the process keeps what Node compiles, this thread's part is there even when the process is killed later.
    flushCompileCache()
  } catch (error) {
    report({ notOpened: faultOf(error) })
  }
}

type Serving = WorkerSettings & { readonly identity: NonNullable<WorkerSettings['identity']> }

function serve(database: DatabaseSync, { file, timeoutMs, identity }: Serving, port: MessagePort): void {
  const statements = createStatements(database)
  const checkFile = () => refuseMoved(file, identity)
  const queue = createWriteQueue({
    database,
    statements,
    // So that whoever waits is told what for, before he gives up.
    timeoutMs: timeoutMs * 0.8,
    reply,
    checkBefore: () => refuseOtherFormat(Number(statements.all('PRAGMA user_version', [])[0]?.[0])),
    checkAfter: checkFile,
  })

  function reply(replies: readonly Reply[]): void {
    if (replies.length > 0) port.postMessage(replies)
  }

  function read(call: number, sql: string, params: Row): void {
    try {
      checkFile()
      reply([{ call, value: statements.all(sql, params) }])
    } catch (error) {
      reply([{ call, fault: faultOf(error) }])
    }
  }

  async function close(): Promise<void> {
    await queue.drained()
    database.close()
    port.close()
  }

  port.on('message', (first: readonly Call[]) => {
    // All that has come meanwhile is taken together.
    const calls = [...first]
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      calls.push(...next.message)
    }
    // Reads last: there are few, and none of the others waits for them.
    for (const call of calls) if (call.kind === 'ping') read(call.call, 'SELECT id FROM auctions LIMIT 1', [])
    queue.add(calls.filter((call): call is Write => call.kind === 'write'))
    for (const call of calls) if (call.kind === 'read') read(call.call, call.sql, call.params)
    if (calls.some(({ kind }) => kind === 'close')) void close()
  })
}

if (parentPort !== null) start(workerData, parentPort)
