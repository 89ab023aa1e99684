import { useEffect, useEffectEvent } from 'react'
import { useBoot, useT } from '../context/boot.tsx'
import { InteractionForm } from '../forms/interaction-form.tsx'
import { useReactionDispatcher } from '../reactions/reaction-dispatcher.tsx'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/loading.tsx'
import { ConsentForm } from './consent-form.tsx'
import '../styles/endings.css'

/**
 * Asks for consent to a third-party application. For a first-party application, the page submits itself
 * (spec/pages#consent).
 */
export default function ConsentPage() {
  const { consent } = useBoot()
  return consent ? <ConsentForm question={consent} /> : <PassingConsent />
}

/**
 * A form that submits itself, because first-party applications need no consent. The button is for browsers without
 * JavaScript and for retrying after a failure. The style sheet shows it only after a delay, and hides it during the
 * call.
 */
function PassingConsent() {
  const boot = useBoot()
  const t = useT()
  const { run, running, problem } = useReactionDispatcher()
  const failure = problem?.message ?? null
  const wasTried = boot.notice !== null

  const post = () => run('send', {})
  const postAtOnce = useEffectEvent(post)

  useEffect(() => {
    if (!wasTried) postAtOnce()
  }, [wasTried])

  return (
    <div className="content content-passing">
      {failure === null && <Spinner />}
      <h1 className="title">{t(failure === null ? 'vestibule.consent_title' : 'vestibule.error_title')}</h1>
      {failure === null && <p className="description">{t('vestibule.consent_message')}</p>}
      <p className="description" role="alert">
        {failure}
      </p>
      <InteractionForm
        className={failure === null ? 'form-late' : 'form'}
        action="/sign-in/consent"
        inert={running !== null}
        onSubmit={(event) => {
          event.preventDefault()
          post()
        }}
      >
        <Button>{t(failure === null ? 'action.continue' : 'vestibule.try_again')}</Button>
      </InteractionForm>
    </div>
  )
}
