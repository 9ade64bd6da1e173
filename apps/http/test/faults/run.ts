import { parseArgs } from 'node:util'
import { findPrograms, startCluster } from '../../../../tools/vitest/postgresql-cluster.ts'
import { faultStory } from './fault-story.ts'
import type { StoreUnderTest } from './faults.ts'
import { onModule } from './on-module.ts'
import { onOwnMongodb } from './on-mongodb.ts'
import { onOwnPostgresql } from './on-postgresql.ts'
import { onSqlite } from './on-sqlite.ts'

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '32' },
  },
})

/** The requested store, or undefined if it is unavailable. */
async function openStore(): Promise<StoreUnderTest | undefined> {
  if (values.store === 'sqlite') return onSqlite()
  if (/[/\\]/.test(values.store)) return onModule(values.store)
  const command = process.env['MONGODB_SERVER_COMMAND']
  if (values.store === 'mongodb' && command !== undefined) return onOwnMongodb(command)
  const programs = findPrograms()
  if (values.store === 'postgresql' && programs !== undefined) return onOwnPostgresql(await startCluster(programs))
  process.stderr.write(
    '--store must be sqlite, postgresql (with its programs installed), mongodb or the path of a module, such as ./my-store.ts. For mongodb, MONGODB_SERVER_COMMAND must be a shell command that serves MongoDB in the\n' +
      `foreground, such as  MONGODB_SERVER_COMMAND='exec mongod --dbpath "$DATA" --port "$PORT"'\n`,
  )
  return undefined
}

const store = await openStore()
if (store === undefined) process.exit(1)

const say = (text: string) => process.stdout.write(text)
const startedAtMs = performance.now()
const durationMs = Number(values.minutes) * 60_000
let done = 0
let slowestMs = 0

try {
  const { violations, breaches, attempts, ledger } = await faultStory({
    store,
    clients: Number(values.clients),
    nextFault(after) {
      const spentMs = performance.now() - startedAtMs
      if (after !== undefined) {
        done += 1
        slowestMs = Math.max(slowestMs, after.recoveryMs)
        const bar = '#'.repeat(Math.min(40, Math.round((spentMs / durationMs) * 40))).padEnd(40, '.')
        say(
          `[${bar}] ${done} faults, ${after.attempts} attempts; recovered after ${Math.round(after.recoveryMs)} ms: ${after.fault}\n`,
        )
      }
      return spentMs < durationMs ? store.faults[done % store.faults.length] : undefined
    },
  })
  for (const { invariant, message } of violations) say(`invariant ${invariant}: ${message}\n`)
  for (const breach of breaches) say(`against the OpenAPI document: ${breach}\n`)
  say(
    `${done} faults, ${attempts.length} attempts, ${ledger.length} entries stored, ${violations.length} promises broken; ` +
      `slowest recovery ${Math.round(slowestMs)} ms\n`,
  )
  process.exitCode = violations.length + breaches.length === 0 ? 0 : 1
} finally {
  await store.stop()
}
