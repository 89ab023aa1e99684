/**
 * The agreement to the operator's terms, which is checked when the interaction is submitted
 * (spec/interaction#agreement, ADR-0069).
 */
import { type Refusal, refuse } from '../../contract/errors.ts'
import type { SignInExperience } from '../../contract/experience/experience.ts'
import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import type { Interaction, TermsAgreement, TermsDocuments } from '../../contract/interactions/interaction.ts'

export type TermsSettings = TermsDocuments & Pick<SignInExperience, 'agreeToTermsPolicy'>

/** Checks whether the operator has published terms (spec/experience#terms). */
export function hasTerms({ termsOfUseUrl, privacyPolicyUrl }: TermsDocuments): boolean {
  return Boolean(termsOfUseUrl || privacyPolicyUrl)
}

/**
 * Checks whether users have to agree explicitly, rather than by continuing (spec/experience#terms-policy). A password
 * reset requires no agreement, because it neither creates an account nor signs the user in.
 */
export function requiresExplicitAgreement(settings: TermsSettings, event: InteractionEvent): boolean {
  if (!hasTerms(settings)) return false
  const { agreeToTermsPolicy: policy } = settings
  return event === 'Register' ? policy !== 'Automatic' : event === 'SignIn' && policy === 'Manual'
}

/** Checks whether the pages say "By continuing, you agree", so that continuing counts as agreement. */
export const isAgreementImplied = (settings: TermsSettings): boolean =>
  hasTerms(settings) && settings.agreeToTermsPolicy === 'Automatic'

/**
 * Records that the user has agreed to the current documents at the time `now`, either explicitly or by continuing.
 * Returns the same object if there is no new agreement.
 */
export function agreeToTerms(
  interaction: Interaction,
  settings: TermsSettings,
  { isStated, now }: { isStated: boolean; now: number },
): Interaction {
  const agrees = hasTerms(settings) && (isStated || isAgreementImplied(settings))
  if (!agrees || isAgreed(interaction, settings)) return interaction
  const { termsOfUseUrl, privacyPolicyUrl, agreeToTermsPolicy: policy } = settings
  return { ...interaction, termsAgreement: { agreedAt: now, policy, termsOfUseUrl, privacyPolicyUrl } }
}

/**
 * Checks whether the user has agreed to the current documents and policy. An agreement to older documents does not
 * count.
 */
const isAgreed = ({ termsAgreement }: Interaction, settings: TermsSettings): boolean =>
  termsAgreement !== undefined &&
  termsAgreement.policy === settings.agreeToTermsPolicy &&
  isSameDocuments(termsAgreement, settings)

/**
 * Returns an error if the user still has to agree. This is the last check before the account is created or signed in.
 */
export function checkTerms(interaction: Interaction, settings: TermsSettings): Refusal | null {
  if (!requiresExplicitAgreement(settings, interaction.event) || isAgreed(interaction, settings)) return null
  const { termsOfUseUrl, privacyPolicyUrl } = settings
  return refuse('user.terms_not_agreed', { termsOfUseUrl, privacyPolicyUrl })
}

/**
 * Returns the agreement to store with the account. Returns undefined if there is none, or if the same agreement is
 * already `recorded`, in which case its time is kept.
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
