/** The address of a picture, if the page shows it. @param {string | undefined} text */
export function pictureUrl(text) {
  // Not by `URL.parse`, which Safari before 18 lacks.
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' ? url.href : undefined
}
