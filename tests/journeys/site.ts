import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site of another party, with its pages by their paths. */
export type Site = { origin: string; close(): void }

export async function openSite(
  pages: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Site> {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url ?? '', 'http://site').pathname]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html', ...headers })
    response.end(`<!doctype html><link rel="icon" href="data:,"><title>Site</title>${page ?? ''}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}
