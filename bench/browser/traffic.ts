import type { Page } from 'playwright'

/** One request whose response came over the network, not from a cache. */
export type Exchange = {
  url: string
  method: string
  /** The resource type in the DevTools protocol: Document, Script, Stylesheet, Font, Image, Fetch and so on. */
  kind: string
  /** True if a script made the request, so that the first paint does not wait for it. */
  isFromScript: boolean
  /** The transferred size with the response headers, in bytes. */
  bytes: number
  /** The transferred size without headers, in bytes. */
  content: number
}

/** Records all requests of a page, and of the pages that it navigates to, in order. */
export async function recordTraffic(page: Page): Promise<{ stop(): Promise<readonly Exchange[]> }> {
  const cdp = await page.context().newCDPSession(page)
  const all: Exchange[] = []
  const exchanges = new Map<string, Exchange>()
  const responded = new Set<Exchange>()
  const fromCache = new Set<Exchange>()

  cdp.on('Network.requestWillBeSent', ({ requestId, request, type, initiator, redirectResponse }) => {
    const previous = exchanges.get(requestId)
    if (previous && redirectResponse) {
      previous.bytes = redirectResponse.encodedDataLength
      responded.add(previous)
    }
    const exchange: Exchange = {
      url: request.url,
      method: request.method,
      kind: type ?? 'Other',
      isFromScript: initiator.type === 'script',
      bytes: 0,
      content: 0,
    }
    exchanges.set(requestId, exchange)
    all.push(exchange)
  })
  cdp.on('Network.requestServedFromCache', ({ requestId }) => markCached(requestId))
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache) markCached(requestId)
    const exchange = exchanges.get(requestId)
    if (!exchange) return
    exchange.bytes = response.encodedDataLength
    responded.add(exchange)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const exchange = exchanges.get(requestId)
    if (!exchange) return
    exchange.content = Math.max(0, encodedDataLength - exchange.bytes)
    exchange.bytes = encodedDataLength
  })
  await cdp.send('Network.enable')

  return {
    async stop() {
      await cdp.detach()
      return all.filter((each) => /^https?:/.test(each.url) && responded.has(each) && !fromCache.has(each))
    },
  }

  function markCached(requestId: string): void {
    const exchange = exchanges.get(requestId)
    if (exchange) fromCache.add(exchange)
  }
}

export const totalBytes = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)

export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`
