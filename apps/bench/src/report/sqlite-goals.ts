import { atLeast, type Goal, rate, ratio } from './readings.ts'

/** Each beside one row a transaction by the raw driver, with a key in each row where the bids have keys. */
const beside = (keys: '' | '-with-keys', what: string): readonly Goal[] => {
  const times = (spread: string, clients: number) =>
    ratio(rate(`sqlite-placeBid${keys}/${spread}`, clients), rate(`sqlite-insert${keys}`, 1))
  return [
    atLeast(10, `1,000 auctions, 64 clients${what}: times the rows/s of the raw driver`, times('1000-auctions', 64)),
    atLeast(50, `one hot auction, 256 clients${what}: times the rows/s of the raw driver`, times('hot-auction', 256)),
    atLeast(0.8, `one client${what}: times the rows/s of the raw driver`, times('1000-auctions', 1)),
  ]
}

const hot = 'sqlite-placeBid/hot-auction'

/** What is to be reached on a file. */
export const sqliteGoals: readonly Goal[] = [
  ...beside('', ''),
  ...beside('-with-keys', ', a key on every bid'),
  atLeast(
    0.6,
    'one hot auction, 256 clients, each bid meets a proxy: times the bids/s without',
    ratio(rate(`${hot}-with-proxy`, 256), rate(hot, 256)),
  ),
]
