import { useEffect, useEffectEvent } from 'react'
import { INTERACTION_PARAM } from '../../src/contract/interaction.ts'
import { useAddress, useBoot, useT } from '../boot.tsx'
import { Logo } from '../frame.tsx'
import { consent } from '../journeys/consent.ts'
import { usePerformer } from '../performer.tsx'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/loading.tsx'

/**
 * Posts by itself, because a first party needs no question (decision 21). The button is for visitors without script
 * and for those whose first try failed; the styles show it to the others only after a while.
 */
export function ConsentPage() {
  const boot = useBoot()
  const t = useT()
  const address = useAddress()
  const { run } = usePerformer()
  const post = () => run((api) => consent({ api, form: {}, boot }))
  const wasTried = boot.notice !== null
  const postAtOnce = useEffectEvent(post)

  useEffect(() => {
    if (!wasTried) postAtOnce()
  }, [wasTried])

  return (
    <div className="content content-passing">
      <Logo />
      <Spinner />
      <h1 className="title">{t('vestibule.consent_title')}</h1>
      <p className="description">{t('vestibule.consent_message')}</p>
      <form
        className="form-late"
        method="post"
        action={address('/sign-in/consent')}
        onSubmit={(event) => {
          event.preventDefault()
          post()
        }}
      >
        {boot.interaction && <input type="hidden" name={INTERACTION_PARAM} value={boot.interaction} />}
        <Button>{t('action.continue')}</Button>
      </form>
    </div>
  )
}
