import { describe, expect, test } from 'vitest'
import { createAsyncApiDocument } from '../../src/api/asyncapi/document.ts'
import { EventResource } from '../../src/api/responses/event-resources.ts'
import { webhookTypes } from '../../src/configuration/webhooks.ts'
import { document } from '../contract/document.ts'
import { asyncApi, violationsOf } from '../contract/message-check.ts'

// The tests of streams compare each event with this document.

const { channels, operations, components } = asyncApi
const { messages } = components

/** The names of the messages of a channel. */
const sentTo = (channel: { readonly messages: object }): readonly (string | undefined)[] =>
  Object.keys(channel.messages).map((name) => messages[name]?.name)

describe('the AsyncAPI document', () => {
  test('has each event of the streams, and each webhook', () => {
    const events = EventResource.options.map(({ entries }) => entries.type.literal)
    expect(sentTo(channels.followAuction)).toEqual(['snapshot', ...events, 'reset', 'bye'])
    expect(sentTo(channels.followAuctions)).toEqual(['missing', 'auction', 'bye'])
    expect(sentTo(channels.followSale)).toEqual(['sale', 'lots', 'ready', 'bye'])
    expect(sentTo(channels.webhooks)).toEqual(webhookTypes)
    for (const [name, { channel, messages: sent }] of Object.entries(operations)) {
      expect(
        sent.every(({ $ref }) => $ref.startsWith(`${channel.$ref}/messages/`)),
        name,
      ).toBe(true)
    }
  })

  test.each(Object.entries(messages))('has examples of %s that conform to it', (name, { examples = [] }) => {
    expect(examples.length).toBeGreaterThan(0)
    for (const { headers = {}, payload } of examples) expect(violationsOf(name, { headers, payload })).toEqual([])
  })

  test('has the schemas of the OpenAPI document that its messages use, without discriminators', () => {
    expect(JSON.stringify(asyncApi)).not.toContain('discriminator')
    const shared = Object.keys(components.schemas).filter((name) => name in document.components.schemas)
    expect(shared).toEqual(expect.arrayContaining(['AuctionView', 'AuctionListItem', 'Sold', 'AuctionBidMessage']))
    expect(components.schemas['Sold']).toEqual(document.components.schemas['Sold'])
    expect(Object.keys(components.schemas)).not.toContain('BidderBid')
  })

  test('has no token for streams that anyone may read', () => {
    expect(createAsyncApiDocument('0.2.0', true).servers.service).not.toHaveProperty('security')
    expect(asyncApi.servers.service.security).toEqual([{ $ref: '#/components/securitySchemes/bearer' }])
  })
})
