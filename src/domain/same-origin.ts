/**
 * Checks whether a state-changing request comes from one of our own pages (spec/interaction#same-origin). A request
 * with neither `Origin` nor `Sec-Fetch-Site` does not come from a browser, so it cannot contain a user's cookies. Under
 * some referrer policies, browsers send `Origin: null` for our own forms. In that case, `Sec-Fetch-Site` decides,
 * because no page can forge it.
 */
export function isSameOrigin({ url, headers }: Pick<Request, 'url' | 'headers'>): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (origin === 'null') return site === 'same-origin'
  return (origin === null || origin === new URL(url).origin) && (site === null || site === 'same-origin')
}
