import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { readConfiguration } from './configuration/read-configuration.ts'
import { reachedAt } from './server/listen.ts'

// Asks the service of this machine whether it is alive, or `/readyz` where that is named, and ends with code 0 when it says so: a health
// check for containers, which hold no curl. It reads the settings that the service reads.
const [path = '/livez'] = process.argv.slice(2)
const timeoutMs = 4_000

const reading = readConfiguration(process.env, (file) => readFileSync(file, 'utf8'))
if (reading.ok) {
  const { host, port } = reading.configuration
  const { url } = reachedAt(host, { address: host, port })
  const request = get(`${url}${path}`, { signal: AbortSignal.timeout(timeoutMs) }, (response) => {
    response.resume()
    if (response.statusCode !== 200) fail(`answered ${response.statusCode}`)
  })
  request.on('error', ({ message }) => fail(message))
} else {
  for (const fault of reading.faults) fail(fault)
}

function fail(reason: string): void {
  process.stderr.write(`${path}: ${reason}\n`)
  process.exitCode = 1
}
