import { spawnSync } from 'node:child_process'
import { it } from 'vitest'
import { certificateFile } from '../../kit/certificate.ts'
import { browserSweep } from '../browser.ts'
import { copySample, INSTALL_MS, runToEnd } from './run-sample.ts'
import { openSampleTenant } from './sample-tenant.ts'
import { type SampleRow, signInToSample } from './sign-in-to-sample.ts'

/** Tests the samples for servers in languages other than JavaScript (spec/console#application-guides). */

type ServerRow = SampleRow & {
  /** A command that succeeds on machines that have the programs the sample needs. */
  needs: string
  /** The command that checks the code without running it. */
  check: string
}

const python: ServerRow = {
  id: 'python',
  needs: 'python3 -m venv --help',
  check: 'python3 -m py_compile app.py',
  install: ['python3 -m venv .venv', '.venv/bin/pip install --quiet --requirement requirements.txt'],
}
const go: ServerRow = {
  id: 'go',
  needs: 'go version',
  check: 'go mod tidy && go vet .',
  install: ['go mod tidy', 'go build'],
}
const java: ServerRow = {
  id: 'java',
  needs: 'mvn --version',
  check: 'mvn --quiet --batch-mode compile',
  install: [
    'mvn --quiet --batch-mode package',
    `rm -f trust.p12 && keytool -importcert -noprompt -alias tests -file ${certificateFile} -keystore trust.p12 -storepass changeit`,
  ],
  run: 'java -Djavax.net.ssl.trustStore=trust.p12 -Djavax.net.ssl.trustStorePassword=changeit -jar target/demo-0.0.1-SNAPSHOT.jar',
}
/** Packagist is not available where these tests run, so the sample is only parsed. */
const php: ServerRow = { id: 'php', needs: 'php --version', check: 'php -l index.php' }

const tenant = browserSweep.isExhaustive ? await openSampleTenant() : null
const isOnMachine = (needs: string) => spawnSync('sh', ['-c', needs]).status === 0

it.for([python, go, java])(
  'a user signs in to the sample $id, and it calls an API, gets new tokens and signs the user out',
  { timeout: 2 * INSTALL_MS },
  async ({ needs, check, ...row }, { skip }) => {
    if (!tenant) return skip('exhaustive runs install and run this sample')
    if (!isOnMachine(needs)) return skip(`not run: "${needs}" fails on this machine`)
    await signInToSample(tenant, row)
  },
)

const api = { indicator: 'https://orders.example.com', scope: 'orders:read' }
const values = { issuer: 'https://id.acme.example/oidc', clientId: 'shop', port: 3000 }

it.for(
  [python, go, java, php].flatMap((row) => [
    { ...row, api, afterSignOut: ['https://shop.example/'], lines: 'all lines' },
    { ...row, api: null, afterSignOut: [], lines: 'no optional lines' },
  ]),
)(
  'the code of the sample $id is correct with $lines',
  { timeout: INSTALL_MS },
  async ({ id, needs, check, api, afterSignOut }, { skip }) => {
    if (!browserSweep.isExhaustive) return skip('exhaustive runs check this sample')
    if (!isOnMachine(needs)) return skip(`not run: "${needs}" fails on this machine`)
    const redirectUris = ['https://shop.example/callback']
    const { folder } = await copySample(id, { ...values, redirectUris, afterSignOut, api })
    await runToEnd(check, folder)
  },
)
