import { maskIdentifier } from '../../src/domain/masking.ts'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import { connectorIdFromPath } from '../context/paths.ts'
import { FormProblem } from '../forms/form-problem.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { TermsSentence } from '../forms/terms-agreement.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'
import '../styles/endings.css'

export { journeys } from '../journeys/social-link.ts'

/** The page for a new social identity whose address already belongs to an account (spec/pages#social-link). */
export default function SocialLinkPage() {
  const { experience } = useBoot()
  const t = useT()
  const { path, navigation } = useCurrentPage()
  const id = connectorIdFromPath(path)
  const related = navigation?.relatedUser
  if (!experience.socialConnectors.some((connector) => connector.id === id)) {
    return <Missing message={t('vestibule.connector_missing')} />
  }
  if (!related) return <Missing message={t('vestibule.related_account_missing')} />

  const words = wordsFor(experience.signUp.identifiers)
  return (
    <StepFrame title={t(words.title)} description={t('description.social_bind_with_existing')}>
      <JourneyForm>
        {() => <Button>{t('action.bind', { address: maskIdentifier(related) })}</Button>}
      </JourneyForm>
      <p className="description alternative">{t(words.invitation)}</p>
      <JourneyForm intent="register">{() => <Button kind="quiet">{t(words.button)}</Button>}</JourneyForm>
      <TermsSentence />
    </StepFrame>
  )
}

/**
 * Returns the page's phrases. They mention an address if users register with one, because a new account then
 * needs it.
 */
function wordsFor(identifiers: readonly string[]) {
  const types = (['email', 'phone'] as const).filter((type) => identifiers.includes(type))
  const [type] = types
  if (!type)
    return {
      title: 'description.bind_account_title',
      invitation: 'description.social_create_account',
      button: 'action.create_account_without_linking',
    } as const
  const address = types.length > 1 ? 'email_or_phone' : type
  return {
    title: `description.link_${address}`,
    invitation: `description.social_link_${address}`,
    button: `action.link_another_${address}`,
  } as const
}

function Missing({ message }: { message: string }) {
  return (
    <EmptyFrame kind="failed" title={message} messages={[]} hasBackBar>
      <FormProblem />
    </EmptyFrame>
  )
}
