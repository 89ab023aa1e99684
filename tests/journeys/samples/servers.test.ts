import { spawnSync } from 'node:child_process'
import { it } from 'vitest'
import { certificateFile } from '../../kit/certificate.ts'
import { browserSweep } from '../browser.ts'
import { INSTALL_MS } from './run-sample.ts'
import { openSampleTenant } from './sample-tenant.ts'
import { type SampleRow, signInToSample } from './sign-in-to-sample.ts'

/** Tests the samples for servers in languages other than JavaScript (spec/console#application-guides). */

type ServerRow = SampleRow & {
  /** A command that succeeds on machines that have the programs the sample needs. */
  needs: string
}

const rows: readonly ServerRow[] = [
  {
    id: 'python',
    needs: 'python3 -m venv --help',
    install: ['python3 -m venv .venv', '.venv/bin/pip install --quiet --requirement requirements.txt'],
  },
  { id: 'go', needs: 'go version', install: ['go mod tidy', 'go build'] },
  {
    id: 'java',
    needs: 'mvn --version',
    install: [
      'mvn --quiet --batch-mode package',
      `rm -f trust.p12 && keytool -importcert -noprompt -alias tests -file ${certificateFile} -keystore trust.p12 -storepass changeit`,
    ],
    run: 'java -Djavax.net.ssl.trustStore=trust.p12 -Djavax.net.ssl.trustStorePassword=changeit -jar target/demo-0.0.1-SNAPSHOT.jar',
  },
]

const tenant = browserSweep.isExhaustive ? await openSampleTenant() : null

it.for(rows)(
  'a user signs in to the sample $id, and it calls an API, gets new tokens and signs the user out',
  async ({ needs, ...row }, { skip }) => {
    if (!tenant) return skip('exhaustive runs install and run this sample')
    if (spawnSync('sh', ['-c', needs]).status !== 0) return skip(`not run: "${needs}" fails on this machine`)
    await signInToSample(tenant, row)
  },
  2 * INSTALL_MS,
)
