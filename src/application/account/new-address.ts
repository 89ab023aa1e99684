import type { VerifiedAddress } from '../../domain/codes/passcodes.ts'
import { createNewAddressCode, newAddressCodeOwner } from '../../storage/account/new-address-codes.ts'
import { countCodeSend } from '../codes/code-sends.ts'
import { spendCode } from '../codes/spend-code.ts'
import type { SendingDependencies } from '../connectors/deliver-message.ts'
import { sendCode } from '../connectors/send-message.ts'
import type { Dependencies } from '../dependencies.ts'
import type { FactorChange, FactorDependencies } from '../factors/factor-change.ts'
import { requireRecentProof } from '../sessions/recent-proof.ts'
import { setOwnAddress } from './set-address.ts'

/**
 * An address that a user wants to have gets a code first. Whether another account has it is told afterwards: who proves an address may
 * know (spec/accounts#hidden-existence).
 */

type NewAddress = FactorChange & { address: VerifiedAddress; ip: string | undefined }

export async function sendNewAddressCode(
  dependencies: FactorDependencies & SendingDependencies & Pick<Dependencies, 'phrases'>,
  { tenantId, signedIn, address, ip, audit, message }: NewAddress,
): Promise<void> {
  await requireRecentProof(dependencies, tenantId, signedIn)
  const { user } = signedIn
  const sender = { ip, proven: [{ by: 'id' as const, value: user.id }] }
  await countCodeSend(dependencies, tenantId, { address, sender })
  const wanted = { user, session: sessionOf(signedIn), address, now: dependencies.now() }
  const code = await createNewAddressCode(dependencies, tenantId, wanted)
  // Another request sends its newer one.
  if (code === null) return
  audit.add(await sendCode(dependencies, message, { address, type: 'Generic', code }))
}

/** With the code the address is that of the account. */
export async function proveNewAddress(
  dependencies: FactorDependencies & Pick<Dependencies, 'settings'>,
  { code, ...change }: NewAddress & { code: string },
): Promise<void> {
  const { tenantId, signedIn, address, background } = change
  const isProven = await requireRecentProof(dependencies, tenantId, signedIn)
  const owner = newAddressCodeOwner(sessionOf(signedIn), address)
  await spendCode(dependencies, { tenantId, owner, address, code, background })
  await setOwnAddress(dependencies, change, { type: address.type, value: address.value, isProven })
}

/** Of this session: the code of another one, or one that was asked for elsewhere, proves nothing here. */
const sessionOf = ({ token }: FactorChange['signedIn']) => token.sessionUid ?? token.grantId
