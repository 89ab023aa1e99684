/**
 * Checks whether a state-changing request may come from one of our pages (spec/interaction#same-origin). A request
 * without both headers does not come from a browser, so it carries no cookies of a user of another page. Under some
 * referrer policies, browsers send `Origin: null` for our own forms; then `Sec-Fetch-Site` decides, which no page can
 * forge.
 */
export function isSameOrigin({ url, headers }: Pick<Request, 'url' | 'headers'>): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (origin === 'null') return site === 'same-origin'
  return (origin === null || origin === new URL(url).origin) && (site === null || site === 'same-origin')
}
