import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { BootData, OfferedLanguage } from '../src/contract/interactions/boot.ts'
import type { InteractionApi } from './api/api.ts'
import { ApiProvider } from './api/api-context.ts'
import { App, loadDocument, loadPageAt } from './app/app.tsx'
import { loadJourneys } from './app/find-journey.ts'
import { registerPage } from './app/loaded-pages.tsx'
import { findPage } from './app/routes.ts'
import { loadNativeBridge } from './browser/native-bridge.ts'
import { rememberNoCache } from './browser/no-cache.ts'
import { rememberNotification } from './browser/notification.ts'
import { untilPainted } from './browser/painted.ts'
import { followTheme } from './browser/theme.ts'
import SignInPage, { fields } from './pages/sign-in.tsx'
import './styles/shell.css'

const container = document.getElementById('app')
const data = document.getElementById('boot')?.textContent
if (!container || !data) throw new Error('this page was not rendered by Vestibule')

// The data needs no validation, because our own server wrote it into this page.
const boot: BootData = { languages: offeredLanguages(), ...JSON.parse(data) }
if (boot.preview) {
  const { startPreview } = await import('./preview/preview.tsx')
  startPreview(container, boot, boot.preview)
} else {
  if (location.pathname !== boot.path) takeOwnAddress()
  rememberNotification()
  rememberNoCache()
  followTheme()
  // Most users start on the sign-in page, and other pages share its parts, so it is part of this script
  // (ADR-0046).
  const signIn = findPage('/sign-in')
  if (signIn) registerPage(signIn.load, { default: SignInPage, fields })
  // Hydration needs every module with which the server rendered the page.
  await Promise.all([loadDocument(boot), loadNativeBridge(), untilPainted()])
  // Hydrate in slices, because the user may already be typing (ADR-0046).
  startTransition(() => {
    hydrateRoot(
      container,
      <ApiProvider value={loadApi}>
        <App boot={boot} />
      </ApiProvider>,
    )
  })
  const row = findPage(boot.path)
  // The imports for the next pages take some milliseconds of a slow CPU, so each has a task of its own.
  whenIdle(() => loadJourneys(row))
  whenIdle(loadApi)
  whenIdle(watchCapsLockLater)
  for (const path of row?.next ?? []) whenIdle(() => loadPageAt(path))
  if (boot.experience.passkeys) whenIdle(async () => (await loadPasskeys()).offerPasskeys(loadApi))
}

/**
 * Replaces the URL of the authorization request, whose response is this page (ADR-0174). Without cookies, the page
 * could only fail later, so the browser goes to its URL, where the server says so.
 */
function takeOwnAddress(): void {
  const address = boot.path + boot.search
  if (navigator.cookieEnabled) history.replaceState(null, '', address)
  else location.replace(address)
}

async function watchCapsLockLater(): Promise<void> {
  const { watchCapsLock } = await import('./journeys/all.ts')
  watchCapsLock()
}

async function loadApi(): Promise<InteractionApi> {
  const { createApi, fetchWithRetries } = await import('./journeys/all.ts')
  const { language, interaction } = boot
  const api = createApi({ baseUrl: '/', fetch: fetchWithRetries, language, interaction })
  return boot.experience.passkeys ? (await loadPasskeys()).withPasskeys(api) : api
}

function loadPasskeys() {
  return import('./passkeys/passkeys.ts')
}

/**
 * Reads the languages from the list that the server rendered, because the boot data does not repeat them
 * (spec/pages#boot-data).
 */
function offeredLanguages(): OfferedLanguage[] {
  const buttons = document.querySelectorAll<HTMLButtonElement>('.languages button')
  return [...buttons].map(({ value, lang, textContent }) => ({ tag: value, lang, name: textContent }))
}

/** Loads something when the browser is idle, or soon afterwards in Safari, which has no idle callback. */
function whenIdle(load: () => Promise<unknown>): void {
  const task = () => load().catch(() => {})
  if ('requestIdleCallback' in window) requestIdleCallback(task)
  else setTimeout(task, 1000)
}
