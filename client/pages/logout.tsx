import { useEffect, useRef } from 'react'
import type { Logout } from '../../src/contract/interactions/boot.ts'
import { SIGNED_IN_PAGE } from '../../src/contract/product.ts'
import { useIsHydrated } from '../browser/facts.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Spinner } from '../ui/loading.tsx'

type PendingLogout = Extract<Logout, { stage: 'asking' }>

export function LogoutPage({ logout }: { logout: Logout }) {
  switch (logout.stage) {
    case 'asking':
      return logout.needsQuestion ? <Question {...logout} /> : <Passing {...logout} />
    case 'done':
      return <LoggedOut />
  }
}

/** Asks for confirmation before signing out, because any site can redirect a user here (spec/pages#logout). */
function Question({ formAction, xsrf }: PendingLogout) {
  const t = useT()
  return (
    <div className="content content-passing">
      <h1 className="title">{t('vestibule.sign_out_title')}</h1>
      <p className="description">{t('vestibule.sign_out_message')}</p>
      <form className="form" method="post" action={formAction}>
        <input type="hidden" name="xsrf" value={xsrf} />
        <Button name="logout" value="yes">
          {t('vestibule.sign_out')}
        </Button>
        {/* This is a link, because posting the form would show "signed out" even to users who decline. */}
        <ButtonLink kind="quiet" href={SIGNED_IN_PAGE}>
          {t('vestibule.stay_signed_in')}
        </ButtonLink>
      </form>
    </div>
  )
}

/**
 * A form that submits itself, because the application has proved that the session is its own. Without JavaScript, the
 * user has to press the button, so the title is a question until hydration.
 */
function Passing({ formAction, xsrf }: PendingLogout) {
  const t = useT()
  const form = useRef<HTMLFormElement>(null)
  const isHydrated = useIsHydrated()

  useEffect(() => {
    form.current?.requestSubmit()
  }, [])

  return (
    <div className="content content-passing">
      <Spinner />
      <h1 className="title">{t(isHydrated ? 'vestibule.signing_out' : 'vestibule.sign_out_title')}</h1>
      <form ref={form} className="form-late" method="post" action={formAction}>
        <input type="hidden" name="xsrf" value={xsrf} />
        <input type="hidden" name="logout" value="yes" />
        <Button>{t('vestibule.sign_out')}</Button>
      </form>
    </div>
  )
}

/** Links to the application from which the user signed out, or else to the account centre. */
function LoggedOut() {
  const { accountUrl, restartUrl } = useBoot()
  const t = useT()
  const nextUrl = restartUrl ?? accountUrl
  return (
    <EmptyFrame
      kind="signedOut"
      title={t('vestibule.signed_out_title')}
      messages={[t('vestibule.signed_out_message')]}
    >
      {nextUrl && (
        <ButtonLink kind="quiet" href={nextUrl}>
          {t('vestibule.sign_in_again')}
        </ButtonLink>
      )}
    </EmptyFrame>
  )
}
