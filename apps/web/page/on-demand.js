import { AuctionClientError } from './client.js'

/** @import { Page } from './app.js' */
/** @import { Texts } from './texts.js' */

const managingTexts = async () => (await import('./texts.managing.js')).managing
export const salesTexts = async () => (await import('./texts.sales.js')).sales

/**
 * Loads what few readers need, with its texts: by default, those of forms. A failure is shown as one of a read.
 * @template Forms
 * @param {Page} page @param {() => Promise<Forms>} load @param {() => Promise<Partial<Texts>>} [loadTexts]
 */
export async function loadForms({ format }, load, loadTexts = managingTexts) {
  const [forms, texts] = await Promise.all([load(), loadTexts()]).catch((cause) => {
    throw new AuctionClientError({ status: 0, cause })
  })
  format.addTexts(texts)
  return forms
}
