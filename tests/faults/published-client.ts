/** An unregistered client, whose id is the URL of its metadata document (spec/provider#client-documents). */
export const PUBLISHED_CLIENT = 'https://desk.example.com/client.json'

export const publishedDocument = {
  client_id: PUBLISHED_CLIENT,
  client_name: 'Desk',
  redirect_uris: ['http://127.0.0.1/callback'],
}

/**
 * Serves the client's metadata document in place of the client's server, because a test cannot reach a server
 * with that name.
 */
export function withPublishedClient(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (address !== PUBLISHED_CLIENT) return fetch(input, init)
    return Response.json(publishedDocument)
  }
}
