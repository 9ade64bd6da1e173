import { orThrow } from '@auction/client'

/** Extends the next lots of a sale so that they keep their distance from the current ones, until each lot has a result. */
export async function keepDistance(client, saleId) {
  const { data: sale } = orThrow(await client.readSale(saleId))
  const { firstEndTime, intervalSeconds, lotsPerInterval } = sale
  const groupOf = ({ lot }) => Math.floor((Number.parseInt(lot, 10) - 1) / lotsPerInterval)
  const endOf = ({ effectiveEndTime }) => Date.parse(effectiveEndTime)
  const lots = new Map()
  let { extendedSeconds } = sale
  let isReady = false

  async function extendNext() {
    const open = [...lots.values()].filter(({ outcome }) => outcome === undefined)
    const groups = Map.groupBy(open, groupOf)
    const [current, next] = [...groups.keys()].sort((one, other) => one - other)
    if (next === undefined) return
    const endMs = Math.max(...groups.get(current).map(endOf)) + intervalSeconds * 1000
    const dueMs = Date.parse(firstEndTime) + (intervalSeconds * next + extendedSeconds) * 1000
    for (const { id, lot, effectiveEndTime } of groups.get(next)) {
      const lotEndMs = Date.parse(effectiveEndTime)
      // A lot before its time has its own end, or an extension of the sale has not reached it yet.
      if (lotEndMs < dueMs || lotEndMs >= endMs) continue
      const extension = { endTime: new Date(endMs).toISOString(), reason: 'The lot before was extended.' }
      const extended = await client.extendAuction(id, extension)
      if (!extended.ok) console.error(`Lot ${lot} was not extended: ${extended.refusal.message}`)
    }
  }

  for await (const event of client.followSale(saleId)) {
    if (event.type === 'sale') extendedSeconds = event.extendedSeconds
    if (event.type === 'lots') for (const lot of event.lots) lots.set(lot.id, lot)
    if (event.type === 'ready') isReady = true
    if (isReady) await extendNext()
  }
}
