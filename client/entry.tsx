import { hydrateRoot } from 'react-dom/client'
import type { BootData } from '../src/contract/boot.ts'
import { createApi } from './api.ts'
import { App } from './app.tsx'
import { rememberNotification } from './browser/notification.ts'
import { patientFetch } from './browser/patient-fetch.ts'
import { followTheme } from './browser/theme.ts'
import { ApiProvider } from './performer.tsx'

const container = document.getElementById('app')
const data = document.getElementById('boot')?.textContent
if (!container || !data) throw new Error('this page was not drawn by Vestibule')

// Our own server wrote it into this very page.
const boot = JSON.parse(data) as BootData
const api = createApi({
  baseUrl: '/',
  fetch: patientFetch,
  language: boot.language,
  interaction: boot.interaction,
})

rememberNotification()
followTheme()
hydrateRoot(
  container,
  <ApiProvider value={api}>
    <App boot={boot} />
  </ApiProvider>,
)
