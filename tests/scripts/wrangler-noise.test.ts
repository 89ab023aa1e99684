import { expect, it } from 'vitest'
import { createNoiseFilter } from '../../scripts/wrangler-noise.mjs'

it('the noise filter removes only the block that wrangler prints at every start', () => {
  const output = `Attaching additional modules:
┌──────────────────┬──────┬────────────┐
│ api-2RWQ4AUZ.js  │ esm  │ 208.36 KiB │
└──────────────────┴──────┴────────────┘
⎔ Starting local server...

[wrangler:info] Ready on http://localhost:8799
Error: mine
    at handler (src/worker.ts:1:1)
[wrangler:info] GET / 200 OK (33ms)`
  expect(output.split('\n').filter(createNoiseFilter())).toEqual([
    '[wrangler:info] Ready on http://localhost:8799',
    'Error: mine',
    '    at handler (src/worker.ts:1:1)',
    '[wrangler:info] GET / 200 OK (33ms)',
  ])
})
