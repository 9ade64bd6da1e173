const form = /^(mongodb(?:\+srv)?:\/\/)([^@/]*@)?([^@/?]+)(?:\/([^?]*))?(?:\?(.*))?$/

/**
 * The same server and credentials with another database. The database in the path is also where credentials are looked up
 * unless `authSource` says otherwise, so it becomes the `authSource`.
 * @throws TypeError for a text of another form, and repeats nothing of it.
 */
export function withDatabase(uri: string, database: string): string {
  const match = form.exec(uri)
  if (match === null) throw new TypeError('the MongoDB URI must have the form mongodb://[user:password@]host[:port]/')
  const [, scheme = '', credentials = '', hosts = '', path = '', query = ''] = match
  const namesSource = /(^|&)authSource=/i.test(query)
  const source = credentials !== '' && path !== '' && !namesSource ? `authSource=${path}` : ''
  const options = [query, source].filter((part) => part !== '').join('&')
  return `${scheme}${credentials}${hosts}/${database}${options === '' ? '' : `?${options}`}`
}
