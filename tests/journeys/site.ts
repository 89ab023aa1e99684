import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { certificate } from '../kit/certificate.ts'

/** A third-party site with a page for each path. */
export type Site = { origin: string; close(): void }

export async function openSite(
  pages: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Site> {
  const server = createServer(certificate, (request, response) => {
    const page = pages[new URL(request.url ?? '', 'https://site').pathname]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html', ...headers })
    response.end(`<!doctype html><link rel="icon" href="data:,"><title>Site</title>${page ?? ''}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `https://site.example.test:${port}`, close: () => server.close() }
}
