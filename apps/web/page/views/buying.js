import { priceNow } from '../amounts.js'
import { falling, nextPriceOf } from '../formats/falling.js'
import { html } from '../html.js'
/** @import { Page } from '../app.js' */
/** @import { Auction } from '../client.js' */
/** @import { Actions } from './actions.js' */

/** A purchase, which is sent after a question. @param {Page} page @param {Actions} actions @param {Auction} auction @param {number} amount @param {'buyEnds' | 'buyAtMost'} hint */
export function askToBuy(page, actions, auction, amount, hint) {
  const { format, known } = page
  const { text } = format
  const problem = actions.registration?.limitProblem(amount)
  if (problem !== undefined) {
    actions.show('buyNow', { isGood: false, text: problem })
    page.announce(problem, true)
    return page.schedule()
  }
  const price = format.money(amount, auction)
  const body = { buyerId: known.reader.user, ...(hint === 'buyAtMost' && { atMost: amount }) }
  const send = () =>
    void actions.send(page, 'buyNow', body, (data) => {
      known.reader.notePseudonym(auction.id, data.yourPseudonym)
      const paid = data.result === null ? price : format.money(data.result.price, auction)
      return { isGood: true, text: text('boughtIt', { price: paid }) }
    })
  page.ask({
    title: text(hint === 'buyAtMost' ? 'buyFor' : 'buyNowFor', { price }),
    text: () => text(auction.offeredTo === undefined ? hint : 'buyEnds', { price }),
    yes: text('buyFor', { price }),
    send,
  })
}

/** The button that buys at the price of now, and when it falls. @param {Page} page @param {Actions} actions @param {Auction} auction */
export function takeView(page, actions, auction) {
  const { format, known } = page
  const { currentPrice } = priceNow(auction, known.now())
  const ask = () => askToBuy(page, actions, auction, currentPrice, 'buyAtMost')
  return html`
    <div class="take"><button class="main" @click=${ask}>${format.text('buyFor', { price: format.money(currentPrice, auction) })}</button></div>`
}

/** The price to which it falls next, and when. The rule has a separate line, which stays while the time changes. @param {Page} page @param {Auction} auction */
export function nextPriceView({ format, known }, auction) {
  if (auction.offeredTo !== undefined)
    return html`<p>${format.text(known.reader.isOfferedTo(auction) ? 'offerToYou' : 'offerToOther')}</p>`
  const next = nextPriceOf(format, auction, known.now())
  return html`
    <p>${next === undefined ? format.text('lowestPrice') : format.text('fallsTo', next)}</p>
    <p class="hint">${falling.rule(format, auction)}</p>`
}
