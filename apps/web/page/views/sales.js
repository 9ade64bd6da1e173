import { loadForms } from '../on-demand.js'
import { openSales } from './sales/list.js'
import { openSale } from './sales/sale.js'

/** @import { Page } from '../app.js' */
/** @import { Screen } from './on-demand.js' */

/** Opens the list of sales, one sale, or the import of its lots. @param {Page} page @returns {Screen} */
export function openScreen(page) {
  const { id, query } = page.route
  if (id === '') return openSales(page)
  return query.has('import') ? openLater(page, Number(id)) : openSale(page, Number(id))
}

/** The import, whose files only staff load. @param {Page} page @param {number} id @returns {Screen} */
function openLater(page, id) {
  /** @type {Screen | undefined} */
  let screen
  return {
    async load() {
      const { openLotImport } = await loadForms(page, () => import('./sales/import.js'))
      screen ??= openLotImport(page, id)
      await screen.load?.()
    },
    draw: () => screen?.draw(),
  }
}
