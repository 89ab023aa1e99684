import { choosePage } from '../app/page-choice.ts'
import { useBoot, useHere } from '../context/boot.tsx'
import { useReactions } from '../reactions/reaction-dispatcher.tsx'
import { ErrorPage, NavigationMissing, StartAgain } from './error.tsx'
import { ExternalRedirectPage } from './external-redirect.tsx'
import { LogoutPage } from './logout.tsx'
import { NotFoundPage } from './not-found.tsx'

/** What has the place of a page (spec/pages#error-pages). Few users see one, so it is loaded for them alone. */
export default function EndingPage() {
  const { experience, error, logout } = useBoot()
  const { path, navigation } = useHere()
  const { ended, externalRedirect } = useReactions()
  if (ended) return <StartAgain message={ended} />
  if (externalRedirect) return <ExternalRedirectPage url={externalRedirect} />
  if (error) return <ErrorPage error={error} />
  if (logout) return <LogoutPage logout={logout} />
  const { kind } = choosePage(path, { experience, navigation })
  return kind === 'navigationMissing' ? <NavigationMissing /> : <NotFoundPage />
}
