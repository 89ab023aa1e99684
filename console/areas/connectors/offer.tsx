import type { SignInExperience } from '../../../src/contract/experience/experience.ts'
import { call } from '../../api/client.ts'
import { getDraft, rebaseDraftFrom, setDraft } from '../../api/drafts.ts'
import { queryClient, useApi } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Switch } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { useNotify } from '../../ui/toast.tsx'
import type { Connector } from './config.ts'
import { type TargetChange, updateDraftTargets, updateTargets } from './offered.ts'
import { texts } from './phrases.ts'

/**
 * Returns whether the sign-in page shows the connector's button. Null means that this isn't known yet, or that the
 * connector has no button.
 */
export function useSignInButton({ target, type }: Connector) {
  const t = useT()
  const notify = useNotify()
  const mayRead = useCan('experience:read')
  const mayWrite = useCan('experience:write')
  const isEnabled = mayRead && type === 'Social'
  const { data } = useApi<SignInExperience>('/sign-in-exp', { isEnabled })
  if (!isEnabled || !data) return null
  return {
    isOffered: data.data.socialSignInConnectorTargets.includes(target),
    mayWrite,
    setOffered: (isOffered: boolean): Promise<void> =>
      saveOfferedTarget({ target, isOffered })
        .then((before) =>
          notify.success(
            t('saved'),
            async () => void (await saveOfferedTarget({ target, isOffered: !isOffered, before })),
          ),
        )
        .catch(notify.failure),
  }
}

type SignInButtonCardProps = { button: NonNullable<ReturnType<typeof useSignInButton>> }

/** A switch that adds the button to the sign-in page or removes it. */
export function SignInButtonCard({ button: { isOffered, mayWrite, setOffered } }: SignInButtonCardProps) {
  const t = useT(texts)
  return (
    <Card>
      <Switch label={t('show')} isSelected={isOffered} isDisabled={!mayWrite} onChange={setOffered} />
    </Card>
  )
}

const PATH = '/sign-in-exp'

/**
 * Adds the button for a target to the sign-in page or removes it. Returns the previous targets in their order.
 */
export async function saveOfferedTarget(change: TargetChange): Promise<readonly string[]> {
  const { data, etag } = await call<SignInExperience>(PATH)
  const { socialSignInConnectorTargets: targets } = data
  if (targets.includes(change.target) === change.isOffered) return targets
  const saved = await call<SignInExperience>(PATH, {
    method: 'PATCH',
    body: { socialSignInConnectorTargets: updateTargets(targets, change) },
    ifMatch: etag,
  })
  const draft = getDraft(PATH)
  if (draft) {
    setDraft(PATH, updateDraftTargets(draft, change))
    rebaseDraftFrom(PATH, etag, saved)
  }
  // A read that began before the change would otherwise replace the new targets with the previous ones.
  await queryClient.cancelQueries({ queryKey: [PATH] })
  queryClient.setQueryData([PATH], saved)
  return targets
}
