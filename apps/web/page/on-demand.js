import { AuctionClientError } from './client.js'

/** @import { Page } from './app.js' */

/**
 * Loads forms that few readers need, with their texts. A failure is shown as one of a read.
 * @template Forms
 * @param {Page} page @param {() => Promise<Forms>} load
 */
export async function loadForms({ format }, load) {
  const [forms, { managing }] = await Promise.all([load(), import('./texts.managing.js')]).catch((cause) => {
    throw new AuctionClientError({ status: 0, cause })
  })
  format.addTexts(managing)
  return forms
}
