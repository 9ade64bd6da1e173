import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionClient } from '@auction/client'
import { createAuctionService } from '@auction/domain'
import { listen } from '@auction/host/listen'
import { pino } from 'pino'
import { chromium } from 'playwright-core'
import { findProgram } from '../../../../tools/vitest/programs.ts'
import { createReadiness } from '../../src/api/readiness.ts'
import { buildServer } from '../../src/build-server.ts'
import { readConfiguration } from '../../src/configuration/read-configuration.ts'
import { secret, tokenOf } from '../support/tokens.ts'

/** Serves the page for a script, outside Vitest: on a real server in memory, whose clock is set. */
export async function servePage(startTime: string) {
  const logger = pino({ level: 'silent' })
  const reading = readConfiguration({ JWT_SECRET: secret, STORE: 'memory', RATE_LIMIT_MAX: '1000000' }, () => '')
  if (!reading.ok) throw new Error(reading.faults.join('\n'))
  const clock = createManualClock(startTime)
  const readiness = createReadiness(logger)
  const { configuration } = reading
  const store = { ...createMemoryStore(), ping: async () => undefined }
  const service = createAuctionService({ store: readiness.monitor(store), clock, limits: configuration.limits })
  const tokenKey = { kind: 'secret', secret } as const
  const { app } = await buildServer({
    configuration: { ...configuration, tokenKey },
    service,
    clock,
    logger,
    readiness,
  })
  const { url } = await listen(app, '127.0.0.1', 0)
  const token = tokenOf('anna')
  const executablePath = findProgram('chromium')
  if (executablePath === undefined) throw new Error('Chromium could not be started; set CHROMIUM_PATH to its path')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })

  return {
    clock,
    browser,
    /** A link that has a token. */
    link: (user: number) => `${url}/#token=${token}&user=${user}`,

    client: createAuctionClient({ baseUrl: url, token }),

    async close(): Promise<void> {
      await browser.close()
      await app.close()
      await service.close()
    },
  }
}
