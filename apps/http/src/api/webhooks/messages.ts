import type { SubscribedEvent } from '@auction/delivery'
import { MomentText } from '@auction/domain/moment'
import type { WebhookMessage } from '@auction/host/signed-posts'
import * as v from 'valibot'
import type { WebhookType } from '../../configuration/webhooks.ts'
import type { Viewer } from '../callers/caller.ts'
import {
  BidEventResource,
  CorrectedEventResource,
  CreatedEventResource,
  createdEventResource,
  EndedEarlyEventResource,
  EndedEventResource,
  ExtendedEventResource,
  eventResource,
  ReserveLoweredEventResource,
  WithdrawnEventResource,
} from '../responses/event-resources.ts'

/** The type of the message about each type of event. */
export const typeOfEvent = {
  created: 'auction.created',
  bids: 'auction.bid',
  corrected: 'auction.corrected',
  extended: 'auction.extended',
  withdrawn: 'auction.withdrawn',
  'ended-early': 'auction.ended-early',
  'reserve-lowered': 'auction.reserve-lowered',
  ended: 'auction.ended',
} as const satisfies Record<SubscribedEvent['type'], WebhookType>

const messageResource = <Data extends v.GenericSchema>(type: WebhookType, data: Data) =>
  v.object({
    type: v.literal(type),
    timestamp: v.pipe(MomentText, v.description('When the event was recorded, in UTC.')),
    data,
  })

export const messageResources = {
  'auction.created': messageResource('auction.created', CreatedEventResource),
  'auction.bid': messageResource('auction.bid', BidEventResource),
  'auction.corrected': messageResource('auction.corrected', CorrectedEventResource),
  'auction.extended': messageResource('auction.extended', ExtendedEventResource),
  'auction.withdrawn': messageResource('auction.withdrawn', WithdrawnEventResource),
  'auction.ended-early': messageResource('auction.ended-early', EndedEarlyEventResource),
  'auction.reserve-lowered': messageResource('auction.reserve-lowered', ReserveLoweredEventResource),
  'auction.ended': messageResource('auction.ended', EndedEventResource),
} satisfies Record<WebhookType, v.GenericSchema>

/**
 * The message about an event: the same in each attempt, on each server and after each restart. The viewer is the
 * endpoint.
 */
export function webhookMessage(event: SubscribedEvent, viewer: Viewer): WebhookMessage {
  const data = event.type === 'created' ? createdEventResource(event, viewer) : eventResource(event, viewer)
  const body = JSON.stringify({ type: typeOfEvent[event.type], timestamp: data.timestamp, data })
  return { id: messageId(event), body }
}

/** Identifies an event, so that receivers know a repeated message. */
export const messageId = ({ auctionId, sequence }: Pick<SubscribedEvent, 'auctionId' | 'sequence'>): string =>
  `evt_${auctionId}_${sequence}`
