import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { BootData } from '../src/contract/boot.ts'
import { ApiProvider } from './app/api-context.ts'
import { App, loadNextPageAt, loadPageAt } from './app/app.tsx'
import { providePage } from './app/loaded-pages.tsx'
import { whenIdle } from './browser/idle.ts'
import { loadStyles } from './browser/late-styles.ts'
import { rememberNotification } from './browser/notification.ts'
import { offeredLanguages } from './browser/offered-languages.ts'
import { followTheme } from './browser/theme.ts'
import type { InteractionApi } from './journeys/api.ts'
import { loadJourneys } from './journeys/find-journey.ts'
import SignInPage from './pages/sign-in.tsx'
import { findPage } from './routes.ts'

const container = document.getElementById('app')
const data = document.getElementById('boot')?.textContent
if (!container || !data) throw new Error('this page was not rendered by Vestibule')

// Our own server wrote it into this very page.
const boot: BootData = { languages: offeredLanguages(), ...JSON.parse(data) }
if (boot.preview) {
  const { startPreview } = await import('./preview/preview.tsx')
  startPreview(container, boot, boot.preview)
} else {
  rememberNotification()
  followTheme()
  // Most users begin with this page, and the others share its parts: it comes with the script itself (ADR-0046).
  const signIn = findPage('/sign-in')
  // After another page it waits for its styles, like all (ADR-0068).
  if (signIn && boot.path === signIn.path) providePage(signIn.load, SignInPage)
  // Hydration needs what the server has rendered with.
  await loadPageAt(boot.path)
  // In slices: the user may be typing already (ADR-0046).
  startTransition(() => {
    hydrateRoot(
      container,
      <ApiProvider value={loadApi}>
        <App boot={boot} />
      </ApiProvider>,
    )
  })
  whenIdle(() => {
    const row = findPage(boot.path)
    const ahead = [loadStyles(), loadJourneys(row), loadApi(), ...(row?.next ?? []).map(loadNextPageAt)]
    for (const loading of ahead) loading.catch(() => {})
  })
}

async function loadApi(): Promise<InteractionApi> {
  const { createApi, retryingFetch } = await import('./journeys/all.ts')
  const { language, interaction } = boot
  return createApi({ baseUrl: '/', fetch: retryingFetch, language, interaction })
}
