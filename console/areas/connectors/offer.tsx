import type { SignInExperience } from '../../../src/contract/experience.ts'
import { useApi } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Switch } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useWords } from '../../ui/words.ts'
import type { Connector } from './config.ts'
import { offerTarget } from './offer-target.ts'
import { texts } from './phrases.ts'

/** Whether the sign-in page has the button. */
export function Offer({ connector: { target } }: { connector: Connector }) {
  const t = useT(texts)
  const words = useWords()
  const notify = useNotify()
  const mayRead = useMay('experience:read')
  const mayWrite = useMay('experience:write')
  const { data } = useApi<SignInExperience>('/sign-in-exp', { isEnabled: mayRead })
  if (!data) return null
  const isOffered = data.data.socialSignInConnectorTargets.includes(target)
  const offer = (next: boolean) =>
    offerTarget(target, next)
      .then(() => notify.success(words('saved'), () => offerTarget(target, !next)))
      .catch(notify.failure)
  return (
    <Card>
      <Switch label={t('show')} isSelected={isOffered} isDisabled={!mayWrite} onChange={offer} />
    </Card>
  )
}
