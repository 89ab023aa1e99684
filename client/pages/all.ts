import type { ComponentType } from 'react'
import type { PageModules, PageName } from '../app/page-modules.tsx'
import { ConsentPage } from './consent.tsx'
import { ContinueAddressPage } from './continue-address.tsx'
import { ContinuePasswordPage } from './continue-password.tsx'
import { ContinueUsernamePage } from './continue-username.tsx'
import { ForgotPasswordPage } from './forgot-password.tsx'
import { ForgotPasswordResetPage } from './forgot-password-reset.tsx'
import { LogoutDeclinedPage } from './logout-declined.tsx'
import { RegisterPage } from './register.tsx'
import { RegisterPasswordPage } from './register-password.tsx'
import { SignInPage } from './sign-in.tsx'
import { SignInPasswordPage } from './sign-in-password.tsx'
import { SocialLinkPage } from './social-link.tsx'
import { SocialReturnPage } from './social-return.tsx'
import { UnknownSessionPage } from './unknown-session.tsx'
import { VerificationCodePage } from './verification-code.tsx'

const screens: Record<PageName, ComponentType> = {
  consent: ConsentPage,
  'continue-address': ContinueAddressPage,
  'continue-password': ContinuePasswordPage,
  'continue-username': ContinueUsernamePage,
  'forgot-password': ForgotPasswordPage,
  'forgot-password-reset': ForgotPasswordResetPage,
  'logout-declined': LogoutDeclinedPage,
  register: RegisterPage,
  'register-password': RegisterPasswordPage,
  'sign-in': SignInPage,
  'sign-in-password': SignInPasswordPage,
  'social-link': SocialLinkPage,
  'social-return': SocialReturnPage,
  'unknown-session': UnknownSessionPage,
  'verification-code': VerificationCodePage,
}

/** For the server, which has them all and may not wait while it draws (design 2). */
export const allPages: PageModules = { get: (name) => screens[name], load: async () => {} }
