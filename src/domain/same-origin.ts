/**
 * Whether a state-changing request may come from a page of ours (spec/interaction#same-origin). A request without both
 * headers is not from a browser, so it carries no cookies of another page's user. A browser sends `Origin: null` for our
 * own form under some referrer policies; then `Sec-Fetch-Site`, which no page can forge, decides.
 */
export function isSameOrigin(
  ownOrigin: string,
  { origin, site }: { origin: string | null; site: string | null },
): boolean {
  if (origin === 'null') return site === 'same-origin'
  return (origin === null || origin === ownOrigin) && (site === null || site === 'same-origin')
}
