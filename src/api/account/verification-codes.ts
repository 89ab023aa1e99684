import { createRoute } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { sendGenericCode } from '../../application/send-generic-code.ts'
import { OwnAddress, OwnAddressProof } from '../../contract/account.schema.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { withoutCase } from '../../domain/accounts.ts'
import { networkLimit, networkOf, refusesConsumption } from '../../domain/limits.ts'
import type { Address } from '../../domain/passcodes.ts'
import { readTogether } from '../../storage/batches.ts'
import { commit } from '../../storage/commit.ts'
import { verifyGenericCode } from '../../storage/passcodes.ts'
import { codeSending } from '../../storage/rate-limits.ts'
import type { UserRow } from '../../storage/users.ts'
import { newVerification } from '../../storage/verification-statuses.ts'
import { json, refusals } from '../guard.ts'
import { messageRequestOf } from '../request-context.ts'
import type { AccountContext } from './authentication.ts'
import { accountRouter, alwaysWithBody, note, signedIn } from './router.ts'

const sendCall = createRoute({
  method: 'post',
  path: '/',
  ...signedIn,
  summary: 'Send a code to my e-mail address or phone; the codes sent there before are void',
  request: { body: json(OwnAddress) },
  responses: { 204: { description: 'It is on its way' }, ...alwaysWithBody, ...refusals(429, 501) },
})
const verifyCall = createRoute({
  method: 'post',
  path: '/verify',
  ...signedIn,
  summary: 'Show that I got it: for ten minutes I may change my password',
  request: { body: json(OwnAddressProof) },
  responses: { 204: { description: 'Remembered' }, ...alwaysWithBody },
})

/** Generic codes (contract 3) to the addresses of whoever asks, and nobody else's. */
export function accountVerificationRoutes(dependencies: Dependencies) {
  const { db, now } = dependencies

  return accountRouter(dependencies, 'profile')
    .openapi(sendCall, async (c) => {
      const address = ownAddress(c.var.signedIn.user, c.req.valid('json'))
      note(c, 'Account.VerificationCode.Create', { [address.type]: address.value })
      await consume(c, address)
      await sendGenericCode(dependencies, messageRequestOf(c), address)
      return c.body(null, 204)
    })
    .openapi(verifyCall, async (c) => {
      const { user, token } = c.var.signedIn
      const { tenantId } = c.var
      const given = c.req.valid('json')
      const address = ownAddress(user, given)
      const audit = note(c, 'Account.VerificationCode.Verify')
      const tried = { address, code: given.verificationCode, now: now() }
      orRefuse(await verifyGenericCode(db, tenantId, tried))
      const owner = { tenantId, userId: user.id, grantId: token.grantId }
      await commit(db, {
        tenantId,
        statements: newVerification(db, owner, now()),
        audit: audit.success(),
      })
      return c.body(null, 204)
    })

  /** As for the codes of an interaction (decision 16). */
  async function consume(c: AccountContext, address: Address): Promise<void> {
    const { tenantId, ip } = c.var
    const { limits } = await dependencies.tenantSettings.get(tenantId)
    const perNetwork = networkLimit(limits, dependencies.settings.environment)
    const at = now()
    const network = { network: networkOf(ip), networkLimit: perNetwork }
    const { byNetwork, byAddress } = await readTogether(
      db,
      codeSending(db, tenantId, { address, ...network, limits, browser: null, now: at }),
    )
    orRefuse(refusesConsumption(byNetwork[0], perNetwork, at))
    orRefuse(refusesConsumption(byAddress[0], limits.codeSendsPerAddress, at))
  }
}

/** As it is stored, however it was typed: the code belongs to that. */
function ownAddress(user: UserRow, given: { email: string } | { phone: string }): Address {
  if ('phone' in given) {
    if (given.phone !== user.primaryPhone) refuseWith('verification_code.phone_mismatch')
    return { type: 'phone', value: given.phone }
  }
  const { primaryEmail } = user
  if (primaryEmail === null || withoutCase(primaryEmail) !== withoutCase(given.email))
    return refuseWith('verification_code.email_mismatch')
  return { type: 'email', value: primaryEmail }
}
