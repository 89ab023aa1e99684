import type { Page } from 'playwright'

/** One request that was answered over the network, not from a cache. */
export type Exchange = {
  url: string
  method: string
  /** As the DevTools protocol names it: Document, Script, Stylesheet, Font, Image, Fetch and so on. */
  kind: string
  /** Requested by a script, so the first paint does not wait for it. */
  isAskedByScript: boolean
  /** As transferred, with the headers of the answer. */
  bytes: number
  /** As transferred, without headers. */
  content: number
}

/** All requests of a page and the pages after it, in order. */
export async function recordTraffic(page: Page): Promise<{ stop(): Promise<readonly Exchange[]> }> {
  const cdp = await page.context().newCDPSession(page)
  const all: Exchange[] = []
  const open = new Map<string, Exchange>()
  const done = new Set<Exchange>()
  const kept = new Set<Exchange>()

  cdp.on('Network.requestWillBeSent', ({ requestId, request, type, initiator, redirectResponse }) => {
    const before = open.get(requestId)
    if (before && redirectResponse) {
      before.bytes = redirectResponse.encodedDataLength
      done.add(before)
    }
    const exchange: Exchange = {
      url: request.url,
      method: request.method,
      kind: type ?? 'Other',
      isAskedByScript: initiator.type === 'script',
      bytes: 0,
      content: 0,
    }
    open.set(requestId, exchange)
    all.push(exchange)
  })
  cdp.on('Network.requestServedFromCache', ({ requestId }) => keep(requestId))
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache) keep(requestId)
    const exchange = open.get(requestId)
    if (!exchange) return
    exchange.bytes = response.encodedDataLength
    done.add(exchange)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const exchange = open.get(requestId)
    if (!exchange) return
    exchange.content = Math.max(0, encodedDataLength - exchange.bytes)
    exchange.bytes = encodedDataLength
  })
  await cdp.send('Network.enable')

  return {
    async stop() {
      await cdp.detach()
      return all.filter((each) => /^https?:/.test(each.url) && done.has(each) && !kept.has(each))
    },
  }

  function keep(requestId: string): void {
    const exchange = open.get(requestId)
    if (exchange) kept.add(exchange)
  }
}

export const totalBytes = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)

export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`
