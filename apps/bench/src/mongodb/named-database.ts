/** A database to measure on, as it was asked for: under a name, by the URI of a server that runs, or a command that starts one. */
export type NamedDatabase = { readonly name: string } & ({ readonly uri: string } | { readonly command: string })

/**
 * Reads `NAME=URI` or `NAME=COMMAND`; a URI alone is named MongoDB.
 * @throws TypeError for a command without a name. It repeats nothing, as there may be credentials.
 */
export function parseDatabase(text: string): NamedDatabase {
  if (isUri(text)) return { name: 'MongoDB', uri: text }
  const [, name, rest] = /^([\w .-]+)=(.+)$/s.exec(text) ?? []
  if (name === undefined || rest === undefined) {
    throw new TypeError('--mongodb must be a MongoDB URI, NAME=URI, or NAME=COMMAND for a command that starts a server')
  }
  return isUri(rest) ? { name, uri: rest } : { name, command: rest }
}

const isUri = (text: string): boolean => /^mongodb(\+srv)?:\/\//.test(text)
