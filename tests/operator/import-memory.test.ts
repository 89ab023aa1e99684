import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json, text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

const LINES = 30_000
const LINE = `${JSON.stringify({ name: 'x'.repeat(100), customData: { y: 'x'.repeat(1_900) } })}\n`
const HEAP = 32 // MB; the file has twice as much

it('imports a file that is larger than its memory', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-memory-'))
  const file = path.join(folder, 'large.jsonl')
  const handle = openSync(file, 'w')
  for (let line = 0; line < LINES; line += 1_000) writeSync(handle, LINE.repeat(1_000))

  // Somebody who answers as fast as can be: this is about who asks.
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/oidc/token') return response.end('{"access_token":"x"}')
    const { users } = (await json(request)) as { users: { id: string }[] }
    const results = users.map(({ id }, index) => ({ index, status: 'created', id }))
    response.end(JSON.stringify({ results }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP}`, 'scripts/run.mjs', 'users', 'import', file, '--json'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env.PATH,
        VESTIBULE_ORIGIN: `http://127.0.0.1:${port}`,
        VESTIBULE_CLIENT_SECRET: 'x',
      },
    },
  )
  const [answer] = await Promise.all([text(child.stdout), once(child, 'exit')])
  server.close()
  rmSync(folder, { recursive: true })
  expect(JSON.parse(answer || 'null')).toMatchObject({ created: LINES, lines: LINES, isDone: true })
})
