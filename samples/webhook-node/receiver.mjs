import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.HOOK_SECRET)
const receivedIds = new Set() // In production, store the ids in your database.

createServer(async (request, response) => {
  if (request.method !== 'POST' || request.url !== '/hooks') return response.writeHead(404).end()
  const message = verify(await text(request), request.headers)
  if (!message) return response.writeHead(401).end()
  // Respond first, because a response after ten seconds counts as a failure.
  response.writeHead(204).end()
  // A message can arrive more than once, each time with the same id.
  const id = request.headers['webhook-id']
  if (receivedIds.has(id)) return
  receivedIds.add(id)
  handle(message)
}).listen(process.env.PORT ?? 4000)

/** Returns the message, or null if its signature is wrong or more than five minutes old. */
function verify(body, headers) {
  try {
    return webhook.verify(body, headers)
  } catch {
    return null
  }
}

function handle({ event, user }) {
  console.log(event, user.id)
}
