/**
 * Whether a state-changing request may come from a page of ours (decision 9). One that says nothing about where it
 * comes from is no browser's, so nobody's cookies were lent to it. `Origin: null` is what a browser sends for our own
 * form under some referrer policies; then `Sec-Fetch-Site`, which no page can forge, has the last word.
 */
export function isSameOrigin(
  ownOrigin: string,
  { origin, site }: { origin: string | null; site: string | null },
): boolean {
  if (origin === 'null') return site === 'same-origin'
  return (origin === null || origin === ownOrigin) && (site === null || site === 'same-origin')
}
