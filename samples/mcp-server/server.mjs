/**
 * A Model Context Protocol server whose tools Vestibule protects (docs/guides/agents.md#the-sample):
 * `node samples/mcp-server/server.mjs https://id.example.com/oidc http://localhost:3000/mcp`.
 */
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { createMcpHandler, McpServer, requireScopes } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { protectedResource } from './protected-resource.mjs'

const READ = 'notes:read'
const WRITE = 'notes:write'

/** @param {{ issuer: string, resource: string }} addresses */
export function notesServer({ issuer, resource }) {
  const api = protectedResource({ issuer, resource, name: 'Notes', scopes: [READ, WRITE] })
  /** The notes of each user. @type {Map<string, string[]>} */
  const notes = new Map()
  const tools = createMcpHandler(({ authInfo }) => createNotesServer(String(authInfo?.extra?.userId), notes))

  /** @param {Request} request */
  return async (request) => {
    const metadata = api.metadata(request)
    if (metadata) return metadata
    if (new URL(request.url).pathname !== new URL(resource).pathname) return new Response(null, { status: 404 })
    const access = await api.check(request, [READ])
    if (access instanceof Response) return access
    const { userId, ...authInfo } = access
    return tools.fetch(request, { authInfo: { ...authInfo, resource: new URL(resource), extra: { userId } } })
  }
}

/** Returns the tools for one user. @param {string} userId @param {Map<string, string[]>} notes */
function createNotesServer(userId, notes) {
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  const userNotes = notes.get(userId) ?? []
  server.registerTool('list_notes', { description: "Lists the user's notes", inputSchema: z.object({}) }, () => ({
    content: userNotes.map((text) => ({ type: 'text', text })),
  }))
  server.registerTool(
    'add_note',
    {
      description: 'Saves a note',
      inputSchema: z.object({ text: z.string() }),
      // A token without this scope gets 403 `insufficient_scope`, and the client asks its user for more.
      scopeChallenge: requireScopes(WRITE),
    },
    ({ text }) => {
      notes.set(userId, [...userNotes, text])
      return { content: [{ type: 'text', text: 'Saved' }] }
    },
  )
  return server
}

/**
 * Serves the tools with Node. Workers, Deno and Bun can call `notesServer` themselves.
 * @param {{ issuer: string, resource: string }} addresses
 */
export function listen({ issuer, resource }) {
  const respond = notesServer({ issuer, resource })
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', headers, url = '/' } = incoming
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const request = new Request(new URL(url, resource), {
      method,
      headers: /** @type {Record<string, string>} */ (headers),
      ...(hasBody && { body: /** @type {ReadableStream} */ (Readable.toWeb(incoming)), duplex: 'half' }),
    })
    const { status, headers: responseHeaders, body } = await respond(request)
    outgoing.writeHead(status, Object.fromEntries(responseHeaders))
    if (body) Readable.fromWeb(/** @type {import('node:stream/web').ReadableStream} */ (body)).pipe(outgoing)
    else outgoing.end()
  })
  const { hostname, port } = new URL(resource)
  return server.listen(Number(port), hostname)
}

if (import.meta.main) {
  const [issuer, resource] = process.argv.slice(2)
  if (!issuer || !resource) {
    console.error('Usage: node samples/mcp-server/server.mjs ISSUER RESOURCE')
    process.exit(2)
  }
  listen({ issuer, resource }).on('listening', () => console.log(`Tools at ${resource}`))
}
