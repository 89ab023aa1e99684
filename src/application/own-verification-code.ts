import { orRefuse, refuseWith } from '../contract/refused.ts'
import { withoutCase } from '../domain/accounts.ts'
import { limitPerNetwork, networkOf, refusesConsumption } from '../domain/limits.ts'
import type { Address } from '../domain/passcodes.ts'
import { readTogether } from '../storage/batches.ts'
import { commit } from '../storage/commit.ts'
import { verifyGenericCode } from '../storage/passcodes.ts'
import { codeSending } from '../storage/rate-limits.ts'
import type { UserRow } from '../storage/users.ts'
import { newVerification } from '../storage/verification-statuses.ts'
import type { SignedInUser } from './access-token.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { SendingDependencies } from './deliver-message.ts'
import type { Dependencies } from './dependencies.ts'
import { sendGenericCode } from './send-generic-code.ts'
import type { MessageRequest } from './send-message.ts'

type CodeDependencies = SendingDependencies & Pick<Dependencies, 'experience' | 'phrases' | 'tenantSettings'>

/** Limited as the codes of an interaction are (spec/accounts#code-send-limits). */
export async function sendOwnCode(
  dependencies: CodeDependencies,
  request: MessageRequest,
  { address, ip }: { address: Address; ip: string | undefined },
): Promise<void> {
  const { db, now, settings, tenantSettings } = dependencies
  const { tenantId } = request
  const { limits } = await tenantSettings.get(tenantId)
  const perNetwork = limitPerNetwork(limits.codeSendsPerNetwork, settings.environment)
  const at = now()
  const network = { network: networkOf(ip), networkLimit: perNetwork }
  const { byNetwork, byAddress } = await readTogether(
    db,
    codeSending(db, tenantId, { address, ...network, limits, browser: null, now: at }),
  )
  orRefuse(refusesConsumption(byNetwork[0], perNetwork, at))
  orRefuse(refusesConsumption(byAddress[0], limits.codeSendsPerAddress, at))
  await sendGenericCode(dependencies, request, address)
}

type CodeVerification = {
  tenantId: string
  signedIn: SignedInUser
  address: Address
  code: string
  audit: AuditEntry
}

/** With a code that was sent to the user's own address the password may be changed for ten minutes. */
export async function verifyOwnCode(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { tenantId, signedIn: { user, token }, address, code, audit }: CodeVerification,
): Promise<void> {
  orRefuse(await verifyGenericCode(db, tenantId, { address, code, now: now() }))
  const owner = { tenantId, userId: user.id, grantId: token.grantId }
  await commit(db, {
    tenantId,
    audit: audit.success(),
    statements: newVerification(db, owner, now()),
  })
}

/** The address as it is stored, in any letter case: a code belongs to the stored one. Refuses an address of another account. */
export function ownAddress(user: UserRow, given: { email: string } | { phone: string }): Address {
  if ('phone' in given) {
    if (given.phone !== user.primaryPhone) refuseWith('verification_code.phone_mismatch')
    return { type: 'phone', value: given.phone }
  }
  const { primaryEmail } = user
  if (primaryEmail === null || withoutCase(primaryEmail) !== withoutCase(given.email))
    return refuseWith('verification_code.email_mismatch')
  return { type: 'email', value: primaryEmail }
}
