import { parseArgs } from 'node:util'
import { startDatabase } from './database-server.ts'
import { faultStory, faults } from './fault-story.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, clients: { type: 'string', default: '32' } },
})
const command = process.env['MONGODB_SERVER_COMMAND']
if (command === undefined) {
  process.stderr.write(
    'MONGODB_SERVER_COMMAND must be a shell command that serves MongoDB in the foreground, such as\n' +
      `  MONGODB_SERVER_COMMAND='exec mongod --dbpath "$DATA" --port "$PORT"'\n`,
  )
  process.exit(1)
}

const say = (text: string) => process.stdout.write(text)
const startedAtMs = performance.now()
const durationMs = Number(values.minutes) * 60_000
let done = 0
let slowestMs = 0

const database = await startDatabase(command)
try {
  const { violations, attempts, ledger } = await faultStory({
    uri: `mongodb://127.0.0.1:${database.port}/faults`,
    database,
    clients: Number(values.clients),
    nextFault(after) {
      const spentMs = performance.now() - startedAtMs
      if (after !== undefined) {
        done += 1
        slowestMs = Math.max(slowestMs, after.recoveryMs)
        const bar = '#'.repeat(Math.min(40, Math.round((spentMs / durationMs) * 40))).padEnd(40, '.')
        say(
          `[${bar}] ${done} faults, ${after.attempts} attempts; served again after ${Math.round(after.recoveryMs)} ms: ${after.fault}\n`,
        )
      }
      return spentMs < durationMs ? faults[done % faults.length] : undefined
    },
  })
  for (const { invariant, message } of violations) say(`invariant ${invariant}: ${message}\n`)
  say(
    `${done} faults, ${attempts.length} attempts, ${ledger.length} entries stored, ${violations.length} promises broken; ` +
      `slowest recovery ${Math.round(slowestMs)} ms\n`,
  )
  process.exitCode = violations.length === 0 ? 0 : 1
} finally {
  await database.stop()
}
