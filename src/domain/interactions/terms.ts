/** Agreement to the terms of the operator, checked at the submit (spec/interaction#agreement, ADR-0069). */
import { type Refusal, refuse } from '../../contract/errors.ts'
import type { SignInExperience } from '../../contract/experience/experience.ts'
import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import type { Interaction, TermsAgreement, TermsDocuments } from '../../contract/interactions/interaction.ts'

export type TermsSettings = TermsDocuments & Pick<SignInExperience, 'agreeToTermsPolicy'>

/** Whether there are terms to agree to (spec/experience#terms). */
export function needsTerms({ termsOfUseUrl, privacyPolicyUrl }: TermsDocuments): boolean {
  return Boolean(termsOfUseUrl || privacyPolicyUrl)
}

/** Whether a user is asked, and not only told (spec/experience#terms-policy). A password reset neither makes an account nor signs in. */
export function asksForTerms(settings: TermsSettings, event: InteractionEvent): boolean {
  if (!needsTerms(settings)) return false
  const { agreeToTermsPolicy: policy } = settings
  return event === 'Register' ? policy !== 'Automatic' : event === 'SignIn' && policy === 'Manual'
}

/** Whether the pages say "By continuing, you agree": a user who continues has then agreed. */
export const tellsOfTerms = (settings: TermsSettings): boolean =>
  needsTerms(settings) && settings.agreeToTermsPolicy === 'Automatic'

/**
 * The record with the agreement that this submit states, in words or by continuing, at `now`. The documents are those of
 * that moment, because the page has shown them. The same object when nothing new is stated.
 */
export function agreeToTerms(
  interaction: Interaction,
  settings: TermsSettings,
  { isStated, now }: { isStated: boolean; now: number },
): Interaction {
  const agrees = needsTerms(settings) && (isStated || tellsOfTerms(settings))
  if (!agrees || isAgreed(interaction, settings)) return interaction
  const { termsOfUseUrl, privacyPolicyUrl, agreeToTermsPolicy: policy } = settings
  return { ...interaction, termsAgreement: { agreedAt: now, policy, termsOfUseUrl, privacyPolicyUrl } }
}

/** An agreement to documents that were replaced meanwhile is none. */
const isAgreed = ({ termsAgreement }: Interaction, settings: TermsSettings): boolean =>
  termsAgreement !== undefined &&
  termsAgreement.policy === settings.agreeToTermsPolicy &&
  isSameDocuments(termsAgreement, settings)

/** Checked last, when the account would be made or signed in. */
export function refusesWithoutTerms(interaction: Interaction, settings: TermsSettings): Refusal | null {
  if (!asksForTerms(settings, interaction.event) || isAgreed(interaction, settings)) return null
  const { termsOfUseUrl, privacyPolicyUrl } = settings
  return refuse('user.terms_not_agreed', { termsOfUseUrl, privacyPolicyUrl })
}

/** What the account records; undefined where it has `recorded` the same already, whose time is kept, or none was given. */
export const newAgreementOf =
  ({ termsAgreement }: Interaction, settings: TermsSettings) =>
  (recorded: TermsAgreement | null): TermsAgreement | undefined => {
    if (!termsAgreement || !isSameDocuments(termsAgreement, settings)) return undefined
    const isRecorded = recorded?.policy === termsAgreement.policy && isSameDocuments(recorded, termsAgreement)
    return isRecorded ? undefined : termsAgreement
  }

const isSameDocuments = (one: TermsDocuments, other: TermsDocuments): boolean =>
  one.termsOfUseUrl === other.termsOfUseUrl && one.privacyPolicyUrl === other.privacyPolicyUrl
