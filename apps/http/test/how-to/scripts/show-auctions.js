/** Calls `show` with the state of each auction, now and whenever it changes, until all are over. Needs no token. */
export function showAuctions(url, show) {
  const source = new EventSource(url)
  source.addEventListener('auction', ({ data }) => show(JSON.parse(data)))
  source.addEventListener('bye', ({ data }) => {
    if (JSON.parse(data).reason === 'over') source.close()
  })
  source.addEventListener('error', () => {
    // After any status other than 200, an EventSource does not reconnect.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => showAuctions(url, show), 5_000)
  })
}
