import type { ReactElement } from 'react'
import { type AccountPhraseKey, loadAccountPhrases } from '../../src/contract/account/account-catalogue.ts'
import { ALL_EDITABLE } from '../../src/contract/account/account-fields.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { AccountDocument } from '../account/account-document.tsx'
import type { AccountView } from '../account/account-view.tsx'
import { Activity } from '../account/activity.tsx'
import { Overview } from '../account/overview.tsx'
import { Profile } from '../account/profile/profile.tsx'
import { SignIn } from '../account/sign-in/sign-in.tsx'
import { createTranslator } from '../context/phrases.ts'
import type { PreviewedAccountPage } from './account-pages.ts'
import {
  SAMPLE_NOW,
  sampleActivity,
  sampleProfile,
  sampleProtection,
  sampleSignIn,
  sampleUser,
} from './account-samples.ts'
import type { Screen } from './previewed-page.tsx'

type Sample = { title: AccountPhraseKey; body: (settings: BootData['experience']) => ReactElement }

const pages: Readonly<Record<PreviewedAccountPage, Sample>> = {
  '/account': {
    title: 'title',
    body: () => (
      <Overview
        user={sampleUser}
        protection={sampleProtection}
        codes={0}
        sessionCount={2}
        applicationCount={1}
        organizationCount={0}
        isDeletionCanceled={false}
      />
    ),
  },
  '/account/profile': {
    title: 'profile',
    body: ({ signIn }) => (
      <Profile
        values={sampleProfile}
        fields={[]}
        avatar={null}
        hasUsername={signIn.methods.some(({ identifier }) => identifier === 'username')}
        hasPicture
        edited={null}
        now={SAMPLE_NOW}
      />
    ),
  },
  '/account/sign-in': {
    title: 'sign_in',
    body: ({ passkeys, socialConnectors }) => (
      <SignIn
        values={{
          ...sampleSignIn,
          passkeyCount: passkeys ? sampleSignIn.passkeyCount : null,
          identities: socialConnectors.length > 0 ? sampleSignIn.identities : null,
        }}
      />
    ),
  },
  '/account/activity': {
    title: 'activity',
    body: () => <Activity entries={sampleActivity} older={null} isFirst />,
  },
}

const view: Omit<AccountView, 'texts'> = {
  name: sampleUser.name,
  about: null,
  isSignedIn: true,
  hasOrganizations: false,
  hasSteps: false,
  flash: null,
  problem: null,
  typed: {},
  now: SAMPLE_NOW,
  timeZone: null,
  fields: ALL_EDITABLE,
  link: null,
}

/**
 * Renders an account-centre page with a sample user. Elsewhere, only the server renders these pages (ADR-0090).
 * This file and its phrases are loaded only by previews of the account centre.
 */
export async function renderAccountScreen(boot: BootData, path: PreviewedAccountPage): Promise<Screen> {
  const { language, experience, origin } = boot
  const texts = await loadAccountPhrases(language)
  const { title, body } = pages[path]
  const t = createTranslator<AccountPhraseKey>({ language, phrases: texts })
  return {
    path,
    title: [t(title), experience.branding.name ?? new URL(origin).host].join(' · '),
    // All pages of the account centre have this layout.
    layout: { type: 'Card' },
    element: (
      <AccountDocument boot={boot} view={{ ...view, texts }}>
        {body(experience)}
      </AccountDocument>
    ),
  }
}
