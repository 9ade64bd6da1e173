import { get } from 'node:http'
import { reachedAt } from '@auction/host/listen'
import { readConfiguration } from './configuration/read-configuration.ts'
import { fail } from './process/terminal.ts'

// A health check for containers, which have no curl: it requests `/livez`, or the path that is its argument, from the
// service on this machine, and exits with code 0 if the status is 200. It reads the settings of the service.
const [path = '/livez'] = process.argv.slice(2)
const timeoutMs = 4_000

const reading = readConfiguration(process.env)
if (reading.ok) {
  const { host, port } = reading.configuration
  const { url } = reachedAt(host, { address: host, port })
  const request = get(`${url}${path}`, { signal: AbortSignal.timeout(timeoutMs) }, (response) => {
    response.resume()
    if (response.statusCode !== 200) fail(`${path}: returned ${response.statusCode}`)
  })
  request.on('error', ({ message }) => fail(`${path}: ${message}`))
} else {
  fail(...reading.faults.map((fault) => `${path}: ${fault}`))
}
