import type { Refusal } from '../../contract/errors.ts'
import { invalidInput } from '../../contract/invalid-input.ts'
import type { TenantSettings } from '../../contract/tenants/settings.ts'
import { ImportedUser } from '../../contract/users/user-import.schema.ts'
import { refusesPassword } from '../../domain/passwords/password-refusal.ts'
import { prepareFactors } from '../factors/import-factors.ts'
import { type PreparedUser, prepareUser } from './user-import-rows.ts'

type Rules = Pick<TenantSettings, 'passwordPolicy' | 'passkeys'>

/** One user of an import, which may be anything: its form, the rules of a plain password, the form of a hash, the factors. */
export async function prepareEntry(
  given: unknown,
  at: number,
  { passwordPolicy, passkeys: { rpId } }: Rules,
): Promise<PreparedUser | Refusal> {
  const parsed = ImportedUser.safeParse(given)
  if (!parsed.success) return invalidInput(parsed.error).refusal
  const { password } = parsed.data
  const problem = password === undefined ? null : refusesPassword(password, passwordPolicy)
  if (problem) return problem
  const factors = await prepareFactors(parsed.data, { at: parsed.data.createdAt ?? at, rpId })
  return 'code' in factors ? factors : prepareUser(parsed.data, factors, at)
}
