import type { NewAuction } from '@auction/domain/auction/auction'
import { sampleAuction } from '@auction/domain/testing/samples'
import { Long } from 'mongodb'
import { measureContest } from '../contest/contest.ts'
import type { Contestant } from '../contest/contestant.ts'
import type { Findings } from '../measure/measurement.ts'
import { openOurService } from '../mongodb/our-service.ts'
import { patternOfAuctions } from '../mongodb/patterns.ts'
import type { BenchServer } from '../mongodb/server.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'

/** Auctions that are created, beside documents of auctions that are written with nothing decided. */
export const measureCreation = (server: BenchServer, options: Options, progress: Progress): Promise<Findings> =>
  measureContest('creation', [rawInsertOne, createAuction], server, options, progress)

const endTime = '2999-12-31T23:59:59Z'

const rawInsertOne: Contestant = {
  id: 'insertOne-auction',
  label: 'raw insertOne of such documents',
  perOperation: 1,
  async start(scratch) {
    const { collection, pattern } = await patternOfAuctions(scratch, endTime)
    let last = 0
    const operation = async () => {
      last += 1
      await collection.insertOne({ ...pattern, _id: Long.fromNumber(last) as never })
      return 'accepted' as const
    }
    return { operation, stop: async () => undefined }
  },
}

const createAuction: Contestant = {
  id: 'createAuction',
  label: 'createAuction',
  perOperation: 1,
  async start(scratch) {
    const service = await openOurService(scratch, [])
    const { id: _, createdAtMs: __, ...fields } = sampleAuction({ title: 'Walnut desk', endTime })
    const auction: NewAuction = fields
    const operation = async () => ((await service.createAuction(auction)).ok ? 'accepted' : 'refused')
    return { operation, stop: () => service.close() }
  },
}
