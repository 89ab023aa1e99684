import type { ComponentType } from 'react'
import type { PageModules, PageName } from '../app/page-modules.tsx'

const imports: Record<PageName, () => Promise<ComponentType>> = {
  consent: async () => (await import('../pages/consent.tsx')).ConsentPage,
  'continue-address': async () => (await import('../pages/continue-address.tsx')).ContinueAddressPage,
  'continue-password': async () => (await import('../pages/continue-password.tsx')).ContinuePasswordPage,
  'continue-username': async () => (await import('../pages/continue-username.tsx')).ContinueUsernamePage,
  'forgot-password': async () => (await import('../pages/forgot-password.tsx')).ForgotPasswordPage,
  'forgot-password-reset': async () =>
    (await import('../pages/forgot-password-reset.tsx')).ForgotPasswordResetPage,
  'logout-declined': async () => (await import('../pages/logout-declined.tsx')).LogoutDeclinedPage,
  register: async () => (await import('../pages/register.tsx')).RegisterPage,
  'register-password': async () => (await import('../pages/register-password.tsx')).RegisterPasswordPage,
  'sign-in': async () => (await import('../pages/sign-in.tsx')).SignInPage,
  'sign-in-password': async () => (await import('../pages/sign-in-password.tsx')).SignInPasswordPage,
  'social-link': async () => (await import('../pages/social-link.tsx')).SocialLinkPage,
  'social-return': async () => (await import('../pages/social-return.tsx')).SocialReturnPage,
  'unknown-session': async () => (await import('../pages/unknown-session.tsx')).UnknownSessionPage,
  'verification-code': async () => (await import('../pages/verification-code.tsx')).VerificationCodePage,
}

const loaded = new Map<PageName, ComponentType>()

/** The screens of this browser: one comes with the page, the others when they are needed or there is time for them. */
export const pageModules: PageModules = {
  get: (name) => loaded.get(name),
  async load(name) {
    if (!loaded.has(name)) loaded.set(name, await imports[name]())
  },
}

/** Fetches what the visitor may need next while nothing else happens. */
export function loadWhenIdle(names: readonly PageName[]): void {
  const load = () => {
    for (const name of names) pageModules.load(name).catch(() => {})
  }
  if ('requestIdleCallback' in window) requestIdleCallback(load)
  else setTimeout(load, IDLE_MS)
}

/** Safari has no idle callback. */
const IDLE_MS = 1000
