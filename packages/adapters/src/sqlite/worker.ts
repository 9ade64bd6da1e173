/**
 * The thread with the connection for writes, so that commits do not block the event loop. It imports only modules of
 * Node.js and of this folder, so that it runs from sources and from a build, with any flags of the process.
 */
import { flushCompileCache } from 'node:module'
import type { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import {
  createStatements,
  type FileIdentity,
  identityOf,
  openDatabase,
  refuseMoved,
  refuseOtherFormat,
  whenFree,
} from './database.ts'
import { sqliteErrorOf } from './errors.ts'
import type { Call, Outcome, Read, Report, WorkerSettings, WriteGroup } from './protocol.ts'
import { createWriter } from './writer.ts'

async function start({ file, timeoutMs, identity }: WorkerSettings, port: MessagePort): Promise<void> {
  const report = (message: Report) => port.postMessage(message)
  // This is less than the time limit of the calling thread, so that the caller receives the reason.
  const waitMs = timeoutMs * 0.8
  try {
    if (identity !== undefined) refuseMoved(file, identity)
    const database = await openDatabase(file, waitMs)
    const opened = identity ?? identityOf(file)
    serve(database, file, opened, waitMs, port)
    report({ opened })
    // This saves the thread's part of a compile cache even if the process is killed later.
    flushCompileCache()
  } catch (error) {
    report({ notOpened: sqliteErrorOf(error) })
    port.close()
  }
}

function serve(database: DatabaseSync, file: string, identity: FileIdentity, waitMs: number, port: MessagePort): void {
  const statements = createStatements(database)
  const checkFile = () => refuseMoved(file, identity)
  const writer = createWriter({
    database,
    statements,
    waitMs,
    checkBefore: () => refuseOtherFormat(Number(statements.all('PRAGMA user_version', [])[0]?.[0])),
    checkAfter: checkFile,
  })

  async function handle(call: number, request: Read | WriteGroup): Promise<void> {
    let outcome: Outcome<unknown>
    try {
      outcome = { value: request.kind === 'read' ? await read(request) : await writer.write(request.writes) }
    } catch (error) {
      outcome = { error: sqliteErrorOf(error) }
    }
    port.postMessage({ call, outcome } satisfies Report)
  }

  const read = ({ sql, params }: Read) =>
    whenFree(waitMs, () => {
      checkFile()
      return statements.all(sql, params)
    })

  port.on('message', (call: Call) => {
    if (call !== 'close') void handle(call.call, call.request)
    else {
      database.close()
      port.close()
    }
  })
}

if (parentPort !== null) void start(workerData, parentPort)
