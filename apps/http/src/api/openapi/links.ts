import type { Operation } from '../operations/operation.ts'
import { operations } from '../operations/table.ts'
import type { LinkObject } from './openapi.ts'

/**
 * The links from a 201 to the operations that take an id of its data: from a new auction to all of them, from a change of an auction to
 * the reads, which show its effect.
 */
export function linksOf(operation: Operation): Readonly<Record<string, LinkObject>> {
  const isNewAuction = takenBy(operation) === undefined
  const targets = operations.filter(({ route }) => isNewAuction || route.method === 'GET')
  return Object.fromEntries(
    targets.flatMap((target) => {
      const link = linkOf(operation, target)
      return link === undefined ? [] : [[target.route.name, link]]
    }),
  )
}

/** The kind of resource whose id an operation takes, if it takes one, and in which part of the request. */
function takenBy({ route, schemas }: Operation): { readonly kind: string; readonly isInBody: boolean } | undefined {
  const { body } = schemas
  const kind = /^\/api\/(\w+)\/\{id\}/.exec(route.path)?.[1]
  if (kind !== undefined) return { kind, isInBody: false }
  return body !== undefined && 'auctionId' in body.schema.entries ? { kind: 'Auctions', isInBody: true } : undefined
}

function linkOf({ docs: { tag } }: Operation, target: Operation): LinkObject | undefined {
  const taken = takenBy(target)
  if (taken === undefined) return undefined
  // The data is an auction or a bid, as the tag says. A bid has the id of its auction, and not the other way round.
  if (taken.kind !== tag && taken.kind !== 'Auctions') return undefined
  const expression = `$response.body#/data/${taken.kind === tag ? 'id' : 'auctionId'}` as const
  const operationId = target.route.name
  return taken.isInBody
    ? { operationId, requestBody: { auctionId: expression } }
    : { operationId, parameters: { id: expression } }
}
