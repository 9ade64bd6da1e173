/**
 * What a token permits, and the user that it identifies, if any.
 * @typedef {{ create: boolean, bid: boolean, cancel: boolean, cancelAny: boolean, correct: boolean, manage: boolean, user: number | undefined }} Session
 */

/** Without a token. @type {Session} */
export const visitor = {
  create: false,
  bid: false,
  cancel: false,
  cancelAny: false,
  correct: false,
  manage: false,
  user: undefined,
}

/** The permissions by the end of their default names, such as `auction-service:Bids:Create`. */
const names = /** @type {const} */ ({
  create: [':Auctions:Create'],
  bid: [':Bids:Create'],
  cancel: [':Auctions:Cancel', ':Auctions:Cancel:Any'],
  cancelAny: [':Auctions:Cancel:Any'],
  correct: [':Auctions:Update', ':Auctions:Update:Any'],
  manage: [':Auctions:Manage'],
})

/**
 * Reads the claims of a token. Operators can rename permissions: if none is known, the page offers everything, and the service decides.
 * @param {string} token @returns {Session}
 */
export function sessionOf(token) {
  const claims = claimsOf(token)
  const words = JSON.stringify(claims).split(/["\s]/)
  /** @param {readonly string[]} ends */
  const has = (ends) => words.some((word) => ends.some((end) => word.endsWith(end)))
  const isKnown = Object.values(names).some(has)
  const may = {
    create: !isKnown || has(names.create),
    bid: !isKnown || has(names.bid),
    cancel: !isKnown || has(names.cancel),
    cancelAny: !isKnown || has(names.cancelAny),
    correct: !isKnown || has(names.correct),
    manage: !isKnown || has(names.manage),
  }
  return { ...may, user: userIn(claims) }
}

/** None if the payload is not a JSON object. @param {string} token @returns {Record<string, unknown>} */
function claimsOf(token) {
  try {
    const claims = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' && claims !== null && !Array.isArray(claims) ? claims : {}
  } catch {
    return {}
  }
}

/** The claim that is the id of a user. The service knows its name, and `sub` is often another one. @param {Record<string, unknown>} claims */
function userIn({ exp: _exp, iat: _iat, nbf: _nbf, sub, ...claims }) {
  const values = [...Object.values(claims), sub, ...valuesWithin(claims)]
  return values
    .filter((value) => /^[1-9]\d{0,15}$/.test(String(value)))
    .map(Number)
    .find(Number.isSafeInteger)
}

/** The values of claims within others. @param {object} claims @returns {readonly unknown[]} */
const valuesWithin = (claims) =>
  Object.values(claims)
    .filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    .flatMap((inner) => [...Object.values(inner), ...valuesWithin(inner)])
