import type { NavigationState } from '../../src/contract/interactions/interaction.ts'

const email = { identifier: { type: 'email', value: 'ada@example.com' } } as const
const phone = { identifier: { type: 'phone', value: '16502530000' } } as const
const name = { identifier: { type: 'username', value: 'ada_lovelace' } } as const
const totp = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  address: 'otpauth://totp/localhost:ada_lovelace?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=localhost',
}
const backupCodes = Array.from({ length: 10 }, (_, index) => `${index}ABC-DEFG-HJKM-NPQR`)
const taken = { registeredSocialIdentity: { email: 'ada.lovelace@example.com' } }

const both = { password: true, verificationCode: true, isPasswordPrimary: false }
const byName = { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true }
const byEmail = { identifier: 'email', ...both }
const byPhone = { identifier: 'phone', ...both }

const everything = {
  signIn: { methods: [byName, byEmail, byPhone] },
  signUp: { identifiers: ['username', 'email', 'phone'], password: true, verify: true },
}

export type Screen = [path: string, navigation: NavigationState | null]

/**
 * The screens, grouped by the settings that they need. The second value is the navigation state that the
 * previous page stored.
 */
export const screenGroups: {
  called: string
  experience: Record<string, unknown>
  hasPasskeys?: true
  screens: Screen[]
}[] = [
  {
    called: 'everything',
    experience: everything,
    screens: [
      ['sign-in', null],
      ['sign-in/password', email],
      ['sign-in/password', phone],
      ['sign-in/password', name],
      ['sign-in/verification-code', email],
      ['sign-in/verification-code', phone],
      ['second-factor', name],
      ['second-factor/backup-code', name],
      ['second-factor/choose', name],
      ['second-factor/passkey', name],
      ['second-factor/app', name],
      ['second-factor/phone', name],
      ['second-factor/email', { ...name, factorCode: { channel: 'email', sentTo: 'anna****@example.com' } }],
      [
        'second-factor/recovery',
        { ...name, secondFactor: { account: name.identifier, targets: {}, requestedAt: 1 } },
      ],
      ['second-factor/set-up', name],
      ['second-factor/set-up', { ...name, totp }],
      ['second-factor/backup-codes', { ...name, backupCodes }],
      ['sign-in/passkey', null],
      ['sign-in/network', null],
      ['register', null],
      ['register/password', name],
      ['register/verification-code', email],
      ['forgot-password', null],
      ['forgot-password/verification-code', phone],
      ['forgot-password/reset', email],
      ['continue/password', { ...email, event: 'SignIn' }],
      ['continue/username', { ...email, event: 'Register' }],
      ['continue/email', { event: 'SignIn', ...taken }],
      ['continue/phone', { event: 'Register' }],
      ['continue/emailOrPhone', { event: 'SignIn' }],
      ['continue/verification-code', phone],
      // This screen lacks the navigation state that it needs.
      ['register/password', {}],
      ['no-such-page', null],
      ['unknown-session', null],
      ['oidc/auth?client_id=unknown', null],
      ['signed-in', null],
      ['oidc/session/end/success', null],
    ],
  },
  {
    called: 'usernames, passwords, passkeys and terms',
    hasPasskeys: true,
    experience: {
      termsOfUseUrl: 'https://example.com/terms',
      privacyPolicyUrl: 'https://example.com/privacy',
      customContent: {
        '/sign-in': '<h2>Plan the week</h2><p>In <a href="https://example.com">one place</a>.</p>',
      },
    },
    screens: [
      ['sign-in', null],
      ['register', null],
      ['register/password', name],
      ['continue/password', name],
    ],
  },
  {
    called: 'only phone numbers',
    experience: {
      signIn: { methods: [{ ...byPhone, isPasswordPrimary: true }] },
      signUp: { identifiers: ['phone'], password: true, verify: true },
    },
    screens: [
      ['sign-in', null],
      ['register', null],
    ],
  },
  {
    called: 'only codes',
    experience: {
      signIn: { methods: [{ ...byEmail, password: false }] },
      signUp: { identifiers: ['email'], password: false, verify: true },
      signInMode: 'SignIn',
    },
    screens: [
      ['sign-in', null],
      ['sign-in/verification-code', email],
    ],
  },
  {
    called: 'no methods',
    experience: { signIn: { methods: [] }, signUp: { identifiers: [], password: false, verify: false } },
    screens: [
      ['sign-in', null],
      ['register', null],
    ],
  },
]

/** Pages in the table that need more than a URL and a navigation state, with the files that inspect them. */
export const screensElsewhere: Record<string, string> = {
  '/sign-in/account': 'interactions/returning.test.ts',
  '/sign-in/consent': 'applications/consent.test.ts',
  '/organization': 'organisations/choice.test.ts',
  '/sign-in/social/:connectorId': 'social/social.test.ts',
  '/social/link/:connectorId': 'social/social.test.ts',
  '/springboard': 'social/social.test.ts',
}
