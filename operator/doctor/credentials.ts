import type { z } from 'zod'
import {
  ConnectorCheckResult,
  type ConnectorSchema,
} from '../../src/contract/connectors/connectors.schema.ts'
import { reasonOf } from '../credential-check.ts'
import type { Deployment } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { type Finding, failFinding, okFinding, unknownFinding } from './findings.ts'

type Connectors = readonly z.output<typeof ConnectorSchema>[]

/** What each provider says of the credentials that are installed (spec/connectors#credential-check). */
export async function examineCredentials(deployment: Deployment, connectors: Connectors): Promise<Finding[]> {
  const installed = connectors.filter(({ isDemo }) => !isDemo)
  return (await Promise.all(installed.map((connector) => examine(deployment, connector)))).flat()
}

async function examine({ send }: Deployment, { id, connectorId }: Connectors[number]): Promise<Finding[]> {
  const check = `credentials of ${connectorId}`
  try {
    const path = `connectors/${encodeURIComponent(id)}/check`
    const result = await send('post', path, {}, ConnectorCheckResult)
    const because = reasonOf(result)
    switch (result.outcome) {
      case 'accepted':
        return [okFinding(check, 'the provider knows them')]
      case 'refused':
        return [
          failFinding(
            check,
            `the provider refuses them${because}`,
            'Enter new ones: npm run connect -- --help',
          ),
        ]
      case 'unclear':
        return [unknownFinding(check, `the provider neither accepts nor refuses them${because}`)]
      case 'unreachable':
        return [unknownFinding(check, `the provider cannot be asked${because}`)]
      case 'unsupported':
        return []
    }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return [unknownFinding(check, `could not be checked: ${error.message}`)]
  }
}
