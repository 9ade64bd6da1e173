import { mountPage } from './app.js'
import { english } from './texts.js'

// The fragment of a link can have a token, which no server sees: #token=…&user=1. The tab keeps it, and sends it to tabs of this origin
// without one, so that a link opened in a new tab works. It is lost when the last tab is closed.

const askMs = 200
const channel = new BroadcastChannel(`auctions token ${location.pathname}`)
channel.onmessage = ({ data }) => {
  const known = stored()
  if (data === 'who' && known.token !== null) channel.postMessage(known)
}

const stored = () => ({ token: sessionStorage.getItem('token'), user: sessionStorage.getItem('user') })

/** @param {string | null} token @param {string | null} [user] */
function store(token, user) {
  if (token !== null) sessionStorage.setItem('token', token)
  if (user) sessionStorage.setItem('user', user)
}

/** Takes the token out of the URL. */
function takeFragment() {
  const given = new URLSearchParams(location.hash.slice(1))
  if (!given.has('token')) return false
  store(given.get('token'), given.get('user'))
  history.replaceState(null, '', '#/ending')
  return true
}

/** Asks the other tabs for the token. @returns {Promise<void>} */
async function askOthers() {
  const asking = new BroadcastChannel(`auctions token ${location.pathname}`)
  await new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
    const timer = setTimeout(resolve, askMs)
    asking.onmessage = ({ data }) => {
      if (data === 'who') return
      store(data.token, data.user)
      clearTimeout(timer)
      resolve()
    }
    asking.postMessage('who')
  })
  asking.close()
}

// Before the page sees it.
addEventListener('hashchange', () => takeFragment() && location.reload())
if (!takeFragment() && stored().token === null) await askOthers()
const { token, user } = stored()

/** The texts in the first language of the reader that has some. */
async function chooseTexts() {
  const language = navigator.languages.map((each) => each.split('-')[0]).find((each) => each === 'de' || each === 'en')
  return language === 'de' ? (await import('./texts.german.js')).german : english
}
const texts = await chooseTexts()
document.documentElement.lang = String(texts.language)

/** @param {string} given */
function acceptToken(given) {
  store(given)
  location.reload()
}
mountPage(/** @type {HTMLElement} */ (document.getElementById('page')), {
  ...(token !== null && { token }),
  ...(user !== null && { user: Number(user) }),
  texts,
  acceptToken,
  onTitle(title) {
    document.title = `${title} · ${texts.auctions}`
  },
  onUser: (chosen) => store(null, String(chosen)),
})
