/** Agreement to the operator's terms, checked at the submit (spec/interaction#agreement, ADR-0069). */
import { type Refusal, refuse } from '../../contract/errors.ts'
import type { SignInExperience } from '../../contract/experience/experience.ts'
import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import type { Interaction, TermsAgreement, TermsDocuments } from '../../contract/interactions/interaction.ts'

export type TermsSettings = TermsDocuments & Pick<SignInExperience, 'agreeToTermsPolicy'>

/** Checks whether there are terms to agree to (spec/experience#terms). */
export function needsTerms({ termsOfUseUrl, privacyPolicyUrl }: TermsDocuments): boolean {
  return Boolean(termsOfUseUrl || privacyPolicyUrl)
}

/**
 * Checks whether users are asked for their agreement instead of only being informed (spec/experience#terms-policy). A
 * password reset neither creates an account nor signs in.
 */
export function asksForTerms(settings: TermsSettings, event: InteractionEvent): boolean {
  if (!needsTerms(settings)) return false
  const { agreeToTermsPolicy: policy } = settings
  return event === 'Register' ? policy !== 'Automatic' : event === 'SignIn' && policy === 'Manual'
}

/** Checks whether the pages say "By continuing, you agree", so that users who continue have agreed. */
export const impliesAgreement = (settings: TermsSettings): boolean =>
  needsTerms(settings) && settings.agreeToTermsPolicy === 'Automatic'

/**
 * Records the agreement that comes with this submit, explicitly or by continuing, at the time `now`. It refers to the
 * current documents, because the page has shown them. Returns the same object if there is no new agreement.
 */
export function agreeToTerms(
  interaction: Interaction,
  settings: TermsSettings,
  { isStated, now }: { isStated: boolean; now: number },
): Interaction {
  const agrees = needsTerms(settings) && (isStated || impliesAgreement(settings))
  if (!agrees || isAgreed(interaction, settings)) return interaction
  const { termsOfUseUrl, privacyPolicyUrl, agreeToTermsPolicy: policy } = settings
  return { ...interaction, termsAgreement: { agreedAt: now, policy, termsOfUseUrl, privacyPolicyUrl } }
}

/** An agreement to documents that have been replaced meanwhile does not count. */
const isAgreed = ({ termsAgreement }: Interaction, settings: TermsSettings): boolean =>
  termsAgreement !== undefined &&
  termsAgreement.policy === settings.agreeToTermsPolicy &&
  isSameDocuments(termsAgreement, settings)

/** Checked last, when the account would be created or signed in. */
export function checkTerms(interaction: Interaction, settings: TermsSettings): Refusal | null {
  if (!asksForTerms(settings, interaction.event) || isAgreed(interaction, settings)) return null
  const { termsOfUseUrl, privacyPolicyUrl } = settings
  return refuse('user.terms_not_agreed', { termsOfUseUrl, privacyPolicyUrl })
}

/**
 * Returns the agreement that the account should record, or undefined if there is none or the same one is already
 * `recorded`, whose time is kept.
 */
export const agreementToRecord =
  ({ termsAgreement }: Interaction, settings: TermsSettings) =>
  (recorded: TermsAgreement | null): TermsAgreement | undefined => {
    if (!termsAgreement || !isSameDocuments(termsAgreement, settings)) return undefined
    const isRecorded = recorded?.policy === termsAgreement.policy && isSameDocuments(recorded, termsAgreement)
    return isRecorded ? undefined : termsAgreement
  }

const isSameDocuments = (one: TermsDocuments, other: TermsDocuments): boolean =>
  one.termsOfUseUrl === other.termsOfUseUrl && one.privacyPolicyUrl === other.privacyPolicyUrl
