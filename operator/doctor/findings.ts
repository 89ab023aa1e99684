import type { z } from 'zod'
import type { ServerReport } from '../older-servers.ts'

/** The server's report about itself. */
export type Report = z.output<typeof ServerReport>

/**
 * The checks that are made on the server's report (checks.ts). The start page of the console has an item for each check
 * that can fail.
 */
export type ReportCheck =
  | 'environment'
  | 'hosts'
  | 'secrets'
  | 'migrations'
  | 'application secrets'
  | `keys of ${string}`
  | 'clients'
  | 'self-registered clients'
  | 'kv'
  | 'logs'
  | 'floods'
  | 'connectors'
  | `connector ${string}`
  | 'uploads'
  | 'passwords'
  | 'passkeys'
  | 'second factor'
  | 'administrators'
  | 'sign-in'

/** The result of one check, with advice on what to do about it. */
export type Finding<Check extends string = string> = {
  check: Check
  /** The state of the check. `unknown` means that it could not be made. */
  state: 'ok' | 'warn' | 'fail' | 'unknown'
  says: string
  todo?: string
}
export type ReportFinding = Finding<ReportCheck>

const finding =
  (state: Finding['state']) =>
  <Check extends string>(check: Check, says: string, todo?: string): Finding<Check> => ({
    check,
    state,
    says,
    ...(todo !== undefined && { todo }),
  })

export const okFinding = finding('ok')
export const warnFinding = finding('warn')
export const failFinding = finding('fail')
export const unknownFinding = finding('unknown')
