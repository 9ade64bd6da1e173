import { auctionView } from './views/auction.js'
import { listViews } from './views/auctions.js'
import { registersView, salesView, sellView } from './views/on-demand.js'
import { notFoundView } from './views/problem.js'
/**
 * @import { Page } from './app.js'
 * @import { Auction } from './client.js'
 * @typedef {object} Opened The state of an open view.
 * @property {() => unknown} load Reads what it shows.
 * @property {() => void} [refresh] Reads it again, after the connection was lost or the page was hidden.
 * @property {() => void} [tick] Called four times a second.
 * @property {(auction: Auction, before: Auction | undefined) => void} [onAuction]
 * @property {() => void} [close]
 */
/**
 * @template {Opened} Some
 * @typedef {object} View
 * @property {string} name The first part of the fragment.
 * @property {(id: string) => boolean} [takes] Whether it shows what has this id, the second part; without this, the view has none.
 * @property {(page: Page) => string | undefined} [tab] Its title in the navigation.
 * @property {(page: Page) => Some} open
 * @property {(page: Page, opened: Some) => string} title
 * @property {(page: Page, opened: Some) => unknown} draw
 */

/** The views, in the order of the navigation. Another capability adds its own. @type {readonly View<any>[]} */
export const views = [...listViews, salesView, sellView, registersView, auctionView]

/** The view of a fragment. @param {string} name @param {string} id @returns {View<any>} */
export const viewOf = (name, id) =>
  views.find((view) => view.name === name && (view.takes === undefined ? id === '' : view.takes(id))) ?? notFoundView
