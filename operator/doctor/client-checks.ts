import type { z } from 'zod'
import type { DoctorReport } from '../../src/contract/tenants/doctor.schema.ts'
import { failFinding, okFinding, type ReportFinding, warnFinding } from './findings.ts'

type Report = Pick<z.output<typeof DoctorReport>, 'applications' | 'clients'>

/** Whether the applications that have one can authenticate by it. */
export const keySets = ({ applications: { keySets } }: Report): ReportFinding[] =>
  keySets.map(({ id, problem }) =>
    problem === null
      ? okFinding(`keys of ${id}`, 'the key set can be read')
      : failFinding(
          `keys of ${id}`,
          `${problem}: the application cannot authenticate`,
          'Publish its public keys as JSON at its jwksUri, or give them as jwks.',
        ),
  )

/** Only with a problem: such clients are optional. */
export function clients({ clients: { unregistered, selfRegistered } }: Report): ReportFinding[] {
  const kinds = [
    { check: 'clients', reach: unregistered, who: 'nobody has registered', setting: 'unregisteredClients' },
    {
      check: 'self-registered clients',
      reach: selfRegistered,
      who: 'register themselves',
      setting: 'clientRegistration',
    },
  ] as const
  return kinds
    .filter(({ reach }) => reach === 'unlimited')
    .map(({ check, who, setting }) =>
      warnFinding(
        check,
        `clients that ${who} may ask users for every resource of the tenant`,
        `List those that they may ask for in settings.${setting}.resources.`,
      ),
    )
}
