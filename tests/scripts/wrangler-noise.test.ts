import { expect, it } from 'vitest'
import { noiseFilter } from '../../scripts/wrangler-noise.mjs'

it('drops the output of every start and keeps the rest', () => {
  const output = `
 ⛅️ wrangler 4.164.0
────────────────────
Using secrets defined in .dev.vars
Your Worker has access to the following bindings:
Binding                            Resource                  Mode
env.DB (vestibule)                 D1 Database               local

[wrangler:warn] Unable to fetch the \`Request.cf\` object! Falling back to a default placeholder...
Error: getaddrinfo ENOTFOUND workers.cloudflare.com
    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:123:26)
Attaching additional modules:
┌──────────────────┬──────┬────────────┐
│ Name             │ Type │ Size       │
├──────────────────┼──────┼────────────┤
│ api-2RWQ4AUZ.js  │ esm  │ 208.36 KiB │
└──────────────────┴──────┴────────────┘
⎔ Starting local server...
[wrangler:info] Ready on http://localhost:8799
Error: mine
    at handler (src/worker.ts:1:1)
\u001b[33m▲ \u001b[43;33m[\u001b[43;30mWARNING\u001b[43;33m]\u001b[0m \u001b[1mScheduled Workers are not automatically triggered during local development.\u001b[0m

  To manually trigger a scheduled event, run:
    curl "http://localhost:8799/cdn-cgi/local/scheduled"

[wrangler:info] GET / 200 OK (33ms)`
  const shown = output
    .split('\n')
    .filter(noiseFilter())
    .filter((line) => line !== '')
  expect(shown).toEqual([
    '[wrangler:info] Ready on http://localhost:8799',
    'Error: mine',
    '    at handler (src/worker.ts:1:1)',
    '[wrangler:info] GET / 200 OK (33ms)',
  ])
})
