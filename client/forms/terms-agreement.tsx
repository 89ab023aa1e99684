import type { FieldName } from '../../src/contract/interactions/boot.ts'
import type { InteractionEvent } from '../../src/contract/interactions/identifiers.ts'
import {
  hasTerms,
  isAgreementImplied,
  requiresExplicitAgreement,
  type TermsSettings,
} from '../../src/domain/interactions/terms.ts'
import { rememberAgreement } from '../browser/history-entry.ts'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import type { FieldProblems } from '../journeys/problems.ts'
import { useReactionDispatcher } from '../reactions/reaction-dispatcher.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { withLink } from '../ui/rich-text.tsx'
import { TermsLinks } from './terms.tsx'

export const termsFields = (settings: TermsSettings, event: InteractionEvent): FieldName[] =>
  requiresExplicitAgreement(settings, event) ? ['termsAgreement'] : []

/** The checkbox for agreeing to the terms, if the policy requires one (spec/pages#terms-agreement). */
export function TermsCheckbox({ event, problem }: { event: InteractionEvent; problem?: string | undefined }) {
  const { experience, values } = useBoot()
  const t = useT()
  const { entry } = useCurrentPage()
  if (!requiresExplicitAgreement(experience, event)) return null
  return (
    <Checkbox
      name="termsAgreement"
      problem={problem}
      defaultChecked={entry?.hasAgreed ?? Boolean(values.termsAgreement)}
      onChange={({ target }) => rememberAgreement(target.checked)}
      required
    >
      {withLink(t('description.agree_with_terms'), <TermsLinks />)}
    </Checkbox>
  )
}

/** The sentence "By continuing, you agree to the …", if the policy treats continuing as agreement. */
export function TermsSentence() {
  const { experience } = useBoot()
  const t = useT()
  if (!isAgreementImplied(experience)) return null
  return <p className="terms">{withLink(t('vestibule.continuing_agrees'), <TermsLinks />)}</p>
}

/**
 * The note that the sign-in page shows if it has no checkbox: the sentence "By continuing, …", or only links to the
 * terms.
 */
export function TermsNote() {
  const { experience } = useBoot()
  if (!hasTerms(experience) || requiresExplicitAgreement(experience, 'SignIn')) return null
  if (isAgreementImplied(experience)) return <TermsSentence />
  return (
    <p className="terms">
      <TermsLinks />
    </p>
  )
}

/**
 * Returns a function that shows a dialog if agreement to the terms is missing from a submitted form. If the user
 * agrees, the checkbox is checked and the form is sent (spec/pages#terms-agreement).
 */
export function useAskForAgreement() {
  const t = useT()
  const { ask } = useReactionDispatcher()
  return async (problems: FieldProblems, form: HTMLFormElement): Promise<boolean> => {
    const box = form.elements.namedItem('termsAgreement')
    if (Object.keys(problems).join() !== 'termsAgreement' || !(box instanceof HTMLInputElement)) return false
    box.checked = await ask({
      message: withLink(t('description.agree_with_terms_modal'), <TermsLinks />),
      yes: t('action.agree'),
    })
    rememberAgreement(box.checked)
    return box.checked
  }
}
