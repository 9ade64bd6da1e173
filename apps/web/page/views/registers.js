import { openBidder } from './registers/bidder.js'
import { openImport } from './registers/import.js'
import { openRegisters } from './registers/list.js'
import { openRegister } from './registers/register.js'

/** @import { Page } from '../app.js' */
/** @import { Screen } from './on-demand.js' */

/** Opens the list of registers, one register, one of its bidders, or the import of bidders. @param {Page} page @returns {Screen} */
export function openScreen(page) {
  const { id, query } = page.route
  const bidder = query.get('bidder') ?? ''
  if (id === '') return openRegisters(page)
  if (/^[1-9]\d{0,15}$/.test(bidder)) return openBidder(page, Number(id), Number(bidder))
  return query.has('import') ? openImport(page, Number(id)) : openRegister(page, Number(id))
}
