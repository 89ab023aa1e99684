import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'wouter'
import { getCurrentHistoryEntry } from '../browser/history-entry.ts'
import { forwardFragment } from '../browser/social-answer.ts'
import { belongsToThisApp } from '../browser/social-state.ts'
import { useBoot, useCurrentPage, useInteractionPath, useT } from '../context/boot.tsx'
import { getConnectorName } from '../context/connector-name.ts'
import { connectorIdFromPath, queryWithoutInteraction } from '../context/paths.ts'
import { InteractionForm } from '../forms/interaction-form.tsx'
import { useReactionDispatcher } from '../reactions/reaction-dispatcher.tsx'
import { SocialLogo } from '../social/social-logo.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Spinner } from '../ui/loading.tsx'
import '../styles/endings.css'

export { journeys } from '../journeys/social-return.ts'

/**
 * The page that users see when they return from a social provider (spec/pages#social-return) and, without JavaScript,
 * also before they go there (ADR-0043). With JavaScript, it continues automatically; without, the user presses a
 * button. Until then, the response in the URL is not used.
 */
export default function SocialReturnPage() {
  const boot = useBoot()
  const { experience, notice, onward } = boot
  const t = useT()
  const { path, search } = useCurrentPage()
  const address = useInteractionPath()
  const [, navigate] = useLocation()
  const { run } = useReactionDispatcher()
  const id = connectorIdFromPath(path)
  const connector = experience.socialConnectors.find((each) => each.id === id)
  const name = getConnectorName(boot, id)
  const isAsked = notice !== null

  const pass = useEffectEvent(() => {
    if (forwardFragment(id)) return
    run(belongsToThisApp(id, search) ? 'send' : 'reject', {})
    // The response can be used only once and must not stay in the history.
    navigate(address(path), { replace: true, state: getCurrentHistoryEntry() })
  })
  useEffect(() => {
    if (!isAsked) pass()
  }, [isAsked])

  return (
    <div className="content content-passing">
      {connector && <SocialLogo {...connector} />}
      <Spinner />
      <h1 className="title">
        {t(onward ? 'vestibule.social_leaving' : 'vestibule.social_returning', { name })}
      </h1>
      {onward ? (
        <p className="passing-link">
          <ButtonLink href={onward}>{t('action.continue')}</ButtonLink>
        </p>
      ) : isAsked ? null : (
        <InteractionForm
          className="form-late"
          action={path + queryWithoutInteraction(search)}
          onSubmit={(event) => {
            event.preventDefault()
            pass()
          }}
        >
          <Button>{t('action.continue')}</Button>
        </InteractionForm>
      )}
    </div>
  )
}
