import { it } from 'vitest'
import { browserSweep } from '../browser.ts'
import { INSTALL_MS } from './run-sample.ts'
import { openSampleTenant } from './sample-tenant.ts'
import { type SampleRow, signInToSample } from './sign-in-to-sample.ts'

/** Tests the samples for browsers and JavaScript servers (spec/console#application-guides). */

const tenant = await openSampleTenant()

const NPM_INSTALL = 'npm install --no-audit --no-fund'

/** A sample for browsers and one for servers. They need only packages that this repository has. */
const light: readonly SampleRow[] = [{ id: 'javascript' }, { id: 'node' }]

/** Most of these samples need packages of their own, which take minutes to install. */
const heavy: readonly SampleRow[] = [
  { id: 'hono', secrets: { SESSION_SECRET: crypto.randomUUID() } },
  { id: 'react', install: [NPM_INSTALL] },
  { id: 'vue', install: [NPM_INSTALL] },
  { id: 'nextjs', install: [NPM_INSTALL], secrets: { NEXTAUTH_SECRET: crypto.randomUUID() } },
  { id: 'sveltekit', install: [NPM_INSTALL] },
  { id: 'express', install: [NPM_INSTALL], secrets: { SESSION_SECRET: crypto.randomUUID() } },
]

it.each([...light, ...(browserSweep.isExhaustive ? heavy : [])])(
  'a user signs in to the sample $id, and it calls an API, gets new tokens and signs the user out',
  (row) => signInToSample(tenant, row),
  INSTALL_MS,
)
