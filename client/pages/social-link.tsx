import { maskIdentifier } from '../../src/domain/masking.ts'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import { getConnectorName } from '../context/connector-name.ts'
import { connectorIdFromPath } from '../context/paths.ts'
import { FormProblem } from '../forms/form-problem.tsx'
import { Chip } from '../forms/identity-chip.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { TermsSentence } from '../forms/terms-agreement.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { SocialLogo } from '../social/social-logo.tsx'
import { Button } from '../ui/button.tsx'
import '../styles/chip.css'
import '../styles/disc.css'
import '../styles/endings.css'

export { journeys } from '../journeys/social-link.ts'

const exists = {
  email: 'description.social_bind_with_existing',
  phone: 'vestibule.social_link_exists_phone',
} as const

/** The page for a new social identity whose address already belongs to an account (spec/pages#social-link). */
export default function SocialLinkPage() {
  const boot = useBoot()
  const t = useT()
  const { path, navigation } = useCurrentPage()
  const id = connectorIdFromPath(path)
  const related = navigation?.relatedUser
  const connector = boot.experience.socialConnectors.find((each) => each.id === id)
  if (!connector) return <Missing message={t('vestibule.connector_missing')} />
  if (!related) return <Missing message={t('vestibule.related_account_missing')} />

  const address = maskIdentifier(related)
  const name = getConnectorName(boot, id)
  const phrases = newAccountPhrases(boot.experience.signUp.identifiers)
  return (
    <StepFrame
      icon={<SocialLogo {...connector} />}
      title={t('description.bind_account_title')}
      description={
        <>
          {t(exists[related.type], { name })}
          <span className="link-account">
            <Chip sentence="<link></link>" name={address} />
          </span>
        </>
      }
    >
      <JourneyForm>{() => <Button>{t('action.bind', { address })}</Button>}</JourneyForm>
      <p className="description alternative">{t(phrases.sentence)}</p>
      <JourneyForm intent="register">{() => <Button kind="quiet">{t(phrases.button)}</Button>}</JourneyForm>
      <TermsSentence />
    </StepFrame>
  )
}

/** Returns the phrases about a new account. If users register with an address, it needs one that is not taken. */
function newAccountPhrases(identifiers: readonly string[]) {
  const [type, more] = (['email', 'phone'] as const).filter((each) => identifiers.includes(each))
  if (!type)
    return {
      sentence: 'description.social_create_account',
      button: 'action.create_account_without_linking',
    } as const
  const address = more ? 'email_or_phone' : type
  return { sentence: `description.social_link_${address}`, button: `action.link_another_${address}` } as const
}

function Missing({ message }: { message: string }) {
  return (
    <EmptyFrame kind="failed" title={message} messages={[]} hasBackBar>
      <FormProblem />
    </EmptyFrame>
  )
}
