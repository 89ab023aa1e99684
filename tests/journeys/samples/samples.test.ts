import { it } from 'vitest'
import { browserSweep } from '../browser.ts'
import { INSTALL_MS } from './run-sample.ts'
import { openSampleTenant } from './sample-tenant.ts'
import { type SampleRow, signInToSample } from './sign-in-to-sample.ts'

/** Tests the samples for browsers and JavaScript servers (spec/console#application-guides). */

const tenant = await openSampleTenant()

/** These samples need only packages that this repository has. */
const light: readonly SampleRow[] = [{ id: 'javascript' }]

/** These samples need packages of their own, which take minutes to install. */
const heavy: readonly SampleRow[] = []

it.each([...light, ...(browserSweep.isExhaustive ? heavy : [])])(
  'a user signs in to the sample $id, and it calls an API, gets new tokens and signs the user out',
  (row) => signInToSample(tenant, row),
  INSTALL_MS,
)
