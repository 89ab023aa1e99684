import { useBoot } from '../context/boot.tsx'
import { useMissing } from '../context/missing.ts'
import { useReactions } from '../reactions/reaction-dispatcher.tsx'
import { ErrorPage, NavigationMissing, StartAgain } from './error.tsx'
import { ExternalRedirectPage } from './external-redirect.tsx'
import { LogoutPage } from './logout.tsx'
import { NotFoundPage } from './not-found.tsx'
import '../styles/endings.css'

/** What has the place of a page (spec/pages#error-pages). Few users see one, so it is loaded for them alone. */
export default function EndingPage() {
  const { error, logout } = useBoot()
  const missing = useMissing()
  const { ended, externalRedirect } = useReactions()
  if (ended) return <StartAgain message={ended} />
  if (externalRedirect) return <ExternalRedirectPage url={externalRedirect} />
  if (error) return <ErrorPage error={error} />
  if (logout) return <LogoutPage logout={logout} />
  return missing === 'navigationMissing' ? <NavigationMissing /> : <NotFoundPage />
}
