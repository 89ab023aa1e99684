import type { BootData } from '../../src/contract/interactions/boot.ts'
import { useHasHistory } from '../browser/facts.ts'
import { goBackInHistory } from '../browser/history-entry.ts'
import { readApplicationLine } from '../browser/leaving.ts'
import { animateProgress } from '../browser/motion.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { useMissingPageReason } from '../context/missing-page.ts'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import { useReactionDispatcher } from '../reactions/reaction-dispatcher.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ErrorPage, NavigationMissing, StartAgain } from './error.tsx'
import { LogoutPage } from './logout.tsx'
import '../styles/endings.css'

/**
 * The content that is shown instead of a page, such as an error or the end of an interaction
 * (spec/pages#error-pages). Few users see it, so it is loaded only for them.
 */
export default function EndingPage() {
  const { error, logout, alreadySignedIn } = useBoot()
  const missing = useMissingPageReason()
  const { ended, externalRedirect, running } = useReactionDispatcher()
  if (ended) return <StartAgain message={ended} />
  if (externalRedirect) return <ExternalRedirectPage url={externalRedirect} />
  if (running?.isDone) return <HandOverPage />
  if (alreadySignedIn) return <AlreadySignedIn {...alreadySignedIn} />
  if (error) return <ErrorPage error={error} />
  if (logout) return <LogoutPage logout={logout} />
  return missing === 'navigationMissing' ? <NavigationMissing /> : <NotFoundPage />
}

/**
 * The page shown after a redirect to an app on the device. The app should have opened by now, but this page remains
 * open behind it.
 */
function ExternalRedirectPage({ url }: { url: string }) {
  const t = useT()
  return (
    <EmptyFrame
      kind="done"
      title={t('vestibule.consent_title')}
      messages={[t('vestibule.handed_over_message')]}
    >
      <ButtonLink href={url}>{t('action.continue')}</ButtonLink>
    </EmptyFrame>
  )
}

/**
 * The page shown while the browser waits for the application (spec/pages#feedback). Only script shows it, so its styles
 * need no place in the style sheets.
 */
function HandOverPage() {
  const t = useT()
  const application = readApplicationLine()
  return (
    <EmptyFrame kind="done" title={t('vestibule.consent_title')} messages={[t('vestibule.consent_message')]}>
      {application && (
        <p style={{ display: 'flex', gap: 12, alignItems: 'center', marginBlockStart: 24 }}>
          {application.logo && (
            <img src={application.logo} alt="" width="32" height="32" style={{ objectFit: 'contain' }} />
          )}
          <bdi style={{ fontWeight: 600 }}>{application.name}</bdi>
        </p>
      )}
      <ProgressLine />
    </EmptyFrame>
  )
}

/**
 * A line at the top of the window that slows down towards the end, because nobody knows when the application appears.
 */
function ProgressLine() {
  return (
    <span
      style={{
        position: 'fixed',
        insetBlockStart: 0,
        insetInline: 0,
        blockSize: 2,
        background: 'var(--color-brand-readable)',
      }}
      ref={animateProgress}
    />
  )
}

/**
 * The page for users who go back, or use a second tab, after they have signed in. The link repeats the request, which
 * the session answers at once.
 */
function AlreadySignedIn({ application }: NonNullable<BootData['alreadySignedIn']>) {
  const { restartUrl } = useBoot()
  const t = useT()
  return (
    <EmptyFrame kind="done" title={t('vestibule.already_signed_in')} messages={[]}>
      {restartUrl && (
        <ButtonLink href={restartUrl}>
          {application === null ? t('action.continue') : t('vestibule.continue_to', { name: application })}
        </ButtonLink>
      )}
    </EmptyFrame>
  )
}

function NotFoundPage() {
  const t = useT()
  const hasHistory = useHasHistory()
  return (
    <EmptyFrame
      kind="notFound"
      title={t('description.not_found')}
      messages={[t('vestibule.not_found_message')]}
    >
      {/* The server does not know the browser's history, so the space for the button is always reserved. */}
      <Button type="button" inert={!hasHistory} onClick={goBackInHistory}>
        {t('action.back')}
      </Button>
    </EmptyFrame>
  )
}
