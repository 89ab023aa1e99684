import type { PasskeyAbility, PasskeysAfterSubmit } from '../../contract/passkeys/passkeys.ts'
import type { SecondFactorFacts } from '../../domain/factors/second-factor.ts'
import { creationsAfter, NEVER_ASKED, registrationOf, signInOf } from '../../domain/passkeys/passkey-offer.ts'
import { acceptedPasskeys } from '../../domain/passkeys/passkeys.ts'
import type { PasskeyOwnerRow } from '../../storage/passkeys/passkey-offers.ts'
import { toAccount, type UserRow } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import type { OidcInteraction } from '../interactions/oidc-interaction.ts'

type Submitted = {
  row: OidcInteraction
  userId: string
  abilities: readonly PasskeyAbility[]
  amr: readonly string[]
  /** As they were before the submit: those of a registration are not among them. */
  users: readonly UserRow[]
  owners: readonly PasskeyOwnerRow[]
  secondFactor: SecondFactorFacts
}

/**
 * What the browser of a finished sign-in may do about passkeys before it goes on; undefined for most. The page of the offer
 * finds the way on in the navigation state (spec/interaction#submit-passkeys).
 */
export async function passkeysAfter(
  { tenantSettings, now }: Pick<Dependencies, 'tenantSettings' | 'now'>,
  { tenantId, open }: Pick<InteractionCall, 'tenantId' | 'open'>,
  { row, userId, abilities, amr, users, owners, secondFactor }: Submitted,
): Promise<PasskeysAfterSubmit | undefined> {
  if (abilities.length === 0) return undefined
  const { enabled, rpId, offer } = (await tenantSettings.get(tenantId)).passkeys
  if (!enabled || rpId === null) return undefined
  const user = users.find(({ id }) => id === userId)
  const owner = owners.find((each) => each.userId === userId)
  const proven = { amr, request: row.params }
  const signIn = user
    ? signInOf(toAccount(user), secondFactor, proven)
    : registrationOf(userId, secondFactor, proven)
  const creations = offer ? creationsAfter(signIn, owner ?? NEVER_ASKED, { abilities, now: now() }) : []
  if (creations.includes('offer')) await open.saveNavigationState({ onward: new URL(row.returnTo).pathname })
  const isTold = abilities.includes('signals') && user && owner
  if (creations.length === 0 && !isTold) return undefined
  return { creations, ...(isTold && { accepted: acceptedPasskeys(rpId, user, owner.credentialIds) }) }
}
