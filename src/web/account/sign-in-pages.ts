import { addressPages } from './address-pages.tsx'
import { browsersPage } from './browsers-page.tsx'
import { factorsPage } from './factors-page.tsx'
import { identitiesPage } from './identities-page.tsx'
import { newAppPage } from './new-app-page.tsx'
import { newPasskeyPage, newSecurityKeyPage } from './new-passkey-page.tsx'
import { passkeysPage } from './passkeys-page.tsx'
import { passwordPage } from './password-page.tsx'
import { signInPage } from './sign-in-page.tsx'

/** How a user signs in, and what protects the account (spec/account-centre#sign-in-and-security). */
export const signInPages = {
  '/account/sign-in': signInPage,
  ...addressPages('email'),
  ...addressPages('phone'),
  '/account/password': passwordPage,
  '/account/passkeys': passkeysPage,
  '/account/passkeys/new': newPasskeyPage,
  '/account/factors': factorsPage,
  '/account/factors/app': newAppPage,
  '/account/factors/key': newSecurityKeyPage,
  '/account/browsers': browsersPage,
  '/account/identities': identitiesPage,
}
