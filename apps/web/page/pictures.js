/** @import { Auction } from './client.js' */

/** The members of the metadata that are pictures. */
export const pictureNames = ['pictureUrl', ...Array.from({ length: 9 }, (_, at) => `pictureUrl${at + 2}`)]

/** The address of a picture, if the page shows it. @param {string | undefined} text */
export function pictureUrl(text) {
  // Safari before 18 lacks `URL.parse`.
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' ? url.href : undefined
}

/** The pictures of an auction. @param {Auction} auction @returns {readonly string[]} */
export const picturesOf = ({ metadata }) => {
  const urls = pictureNames.map((name) => pictureUrl(metadata?.[name]))
  return urls.filter((url) => url !== undefined)
}

/** The metadata that are no pictures. @param {Auction} auction @returns {readonly (readonly [string, string])[]} */
export const factsOf = ({ metadata = {} }) =>
  Object.entries(metadata).filter(([name, value]) => !pictureNames.includes(name) && value !== '')

/** The name of a member as words: `yearMade` and `year_made` are "Year made". @param {string} name */
export function wordsOf(name) {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`)
  const spaced = words.replaceAll(/[_.-]+/g, ' ').trim()
  return `${spaced[0]?.toUpperCase() ?? ''}${spaced.slice(1)}`
}
