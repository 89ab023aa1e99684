import type { InteractionEvent } from '../../src/contract/interactions/identifiers.ts'
import { asksForTerms, impliesAgreement, needsTerms } from '../../src/domain/interactions/terms.ts'
import { rememberAgreement } from '../browser/history-entry.ts'
import { useBoot, useHere, useT } from '../context/boot.tsx'
import type { FieldProblems } from '../journeys/problems.ts'
import { useReactions } from '../reactions/reaction-dispatcher.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { withLink } from '../ui/rich-text.tsx'
import { TermsLinks } from './terms.tsx'

/** The box by which users agree, where the policy asks for it (spec/pages#terms-agreement). */
export function TermsBox({ event, problem }: { event: InteractionEvent; problem?: string | undefined }) {
  const { experience, values } = useBoot()
  const t = useT()
  const { entry } = useHere()
  if (!asksForTerms(experience, event)) return null
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

/** "By continuing, you agree to the …" where that is the policy. */
export function TermsSentence() {
  const { experience } = useBoot()
  const t = useT()
  if (!impliesAgreement(experience)) return null
  return <p className="terms">{withLink(t('vestibule.continuing_agrees'), <TermsLinks />)}</p>
}

/** What the sign-in page says where it does not ask: the sentence, or the links alone. */
export function TermsNote() {
  const { experience } = useBoot()
  if (!needsTerms(experience) || asksForTerms(experience, 'SignIn')) return null
  if (impliesAgreement(experience)) return <TermsSentence />
  return (
    <p className="terms">
      <TermsLinks />
    </p>
  )
}

/** Submitted without agreement, the form asks for it; a yes checks the box and goes on (spec/pages#terms-agreement). */
export function useAgreement() {
  const t = useT()
  const { ask } = useReactions()
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
