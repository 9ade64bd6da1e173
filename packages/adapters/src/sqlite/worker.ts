/**
 * The thread that owns the writing connection, so that no commit holds up the event loop. It imports nothing but Node's and its
 * neighbours: so it runs from sources and from a build alike, whatever flags the process was started with.
 */
import type { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { faultOf } from './faults.ts'
import { openDatabase } from './open-database.ts'
import type { Call, Reply, Report, WorkerSettings } from './protocol.ts'
import { createStatements } from './statements.ts'
import { createWriteQueue, type Write } from './write-queue.ts'

function start({ file, timeoutMs }: WorkerSettings, port: MessagePort): void {
  const report = (message: Report) => port.postMessage(message)
  try {
    const database = openDatabase(file, timeoutMs)
    // From here on nothing blocks this thread for the lock of another process.
    database.exec('PRAGMA busy_timeout = 0')
    report({ opened: true })
    serve(database, timeoutMs, port)
  } catch (error) {
    report({ notOpened: faultOf(error) })
  }
}

function serve(database: DatabaseSync, timeoutMs: number, port: MessagePort): void {
  const reply = (replies: readonly Reply[]) => {
    if (replies.length > 0) port.postMessage(replies)
  }
  const statements = createStatements(database)
  const queue = createWriteQueue({ database, statements, timeoutMs, reply })

  function read({ call, sql, params }: Extract<Call, { kind: 'read' }>): Reply {
    try {
      return { call, value: statements.all(sql, params) }
    } catch (error) {
      return { call, fault: faultOf(error) }
    }
  }

  async function close(call: number): Promise<void> {
    await queue.drained()
    database.close()
    reply([{ call, value: undefined }])
    port.close()
  }

  port.on('message', (first: readonly Call[]) => {
    // All that has come meanwhile is taken together.
    const calls = [...first]
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      calls.push(...next.message)
    }
    // Reads first: they wait for no commit.
    reply(calls.filter((call) => call.kind === 'read').map(read))
    queue.add(calls.filter((call): call is Write => call.kind === 'write'))
    for (const { kind, call } of calls) if (kind === 'close') void close(call)
  })
}

if (parentPort !== null) start(workerData, parentPort)
