import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { BootData } from '../src/contract/boot.ts'
import { App } from './app/app.tsx'
import { ApiProvider } from './app/reaction-dispatcher.tsx'
import { rememberNotification } from './browser/notification.ts'
import { loadWhenIdle, pageModules } from './browser/pages.ts'
import { retryingFetch } from './browser/retrying-fetch.ts'
import { followTheme } from './browser/theme.ts'
import { createApi } from './journeys/api.ts'
import { findPage } from './routes.ts'

const container = document.getElementById('app')
const data = document.getElementById('boot')?.textContent
if (!container || !data) throw new Error('this page was not drawn by Vestibule')

// Our own server wrote it into this very page.
const boot = JSON.parse(data) as BootData
if (boot.preview) {
  const { startPreview } = await import('./preview/preview.tsx')
  startPreview(container, boot, boot.preview)
} else {
  rememberNotification()
  followTheme()
  const row = findPage(boot.path)
  // What the server has drawn can only be taken over once it is here; a page of an error has no screen.
  if (row) await pageModules.load(row.page)
  const api = createApi({
    baseUrl: '/',
    fetch: retryingFetch,
    language: boot.language,
    interaction: boot.interaction,
  })
  // In pieces: somebody may be typing already.
  startTransition(() => {
    hydrateRoot(
      container,
      <ApiProvider value={api}>
        <App boot={boot} pages={pageModules} />
      </ApiProvider>,
    )
  })
  loadWhenIdle(row?.next ?? [])
}
