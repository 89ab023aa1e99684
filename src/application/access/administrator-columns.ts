import type { Identifier } from '../../contract/interactions/identifiers.ts'
import { orRefuse } from '../../contract/refused.ts'
import { agreementBy } from '../../domain/access/administrator-account.ts'
import type { NewUserRow } from '../../storage/users/user-changes.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { newPasswordColumns } from '../passwords/new-password.ts'
import { countNewPassword } from '../passwords/new-password-limit.ts'

export type GivenAdministrator = {
  tenantId: string
  ip: string | undefined
  identifier: Identifier
  password: string
  /** That the invitation names: an address of the account, also where nobody signs in with one. */
  email: string | null
  audit: AuditEntry
}

/** Of the account that an invitation makes; the password is counted and checked as every new one. */
export async function administratorColumns(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'settings' | 'tenantSettings' | 'network' | 'experience'>,
  { tenantId, ip, identifier, password, email, audit }: GivenAdministrator,
): Promise<Partial<Omit<NewUserRow, 'id' | 'createdAt' | 'emailVerified'>>> {
  orRefuse(await countNewPassword(dependencies, { tenantId, ip }))
  const columns = await newPasswordColumns(dependencies, { tenantId, password, audit })
  const agreement = agreementBy(await dependencies.experience.get(tenantId), dependencies.now())
  const { type, value } = identifier
  return {
    ...columns,
    ...(email !== null && { primaryEmail: email }),
    ...(type === 'email' ? { primaryEmail: value } : { username: value }),
    ...(agreement && { termsAgreement: agreement }),
  }
}
