/**
 * Whether a state-changing request may come from a page of ours (spec/interaction#same-origin). A request without both
 * headers is not from a browser, so it carries no cookies of another page's user. A browser sends `Origin: null` for our
 * own form under some referrer policies; then `Sec-Fetch-Site`, which no page can forge, decides.
 */
export function isSameOrigin({ url, headers }: Pick<Request, 'url' | 'headers'>): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (origin === 'null') return site === 'same-origin'
  return (origin === null || origin === new URL(url).origin) && (site === null || site === 'same-origin')
}
