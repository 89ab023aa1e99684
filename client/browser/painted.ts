/**
 * Waits until the page has been painted, so that a script from the cache does not delay it. A hidden page is not
 * painted.
 */
export async function untilPainted(): Promise<void> {
  if (document.hidden || performance.getEntriesByType('paint').length > 0) return
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
