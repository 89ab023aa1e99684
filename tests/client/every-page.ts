import { pageTable } from '../../client/app/routes.ts'
import type { Experience } from '../../src/contract/experience/experience.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { adaIdentifier, bootExperience, returningAccounts, testBootData, withTerms } from './boot-data.ts'

const all = { password: true, verificationCode: true, isPasswordPrimary: false }
const github = {
  id: 'github',
  target: 'github',
  platform: 'Universal',
  name: { en: 'GitHub' },
  logo: '/connectors/github.svg',
  logoDark: '/connectors/github-dark.svg',
} as const

/** Settings that enable every element that a page can show. */
export const withEverything: Experience = {
  ...withTerms,
  color: { ...bootExperience.color, isDarkModeEnabled: true },
  layout: { type: 'Split', pictureUrl: 'https://cdn.example.com/harbour.webp' },
  signIn: {
    methods: (['username', 'email', 'phone'] as const).map((identifier) => ({ identifier, ...all })),
  },
  signUp: { identifiers: ['username', 'email', 'phone'], password: true, verify: true },
  forgotPassword: { email: true, phone: true },
  socialConnectors: [github],
  customContent: Object.fromEntries(pageTable.map(({ path }) => [path, '<p>Hello</p>'])),
}

const navigations: BootData['navigation'][] = [
  adaIdentifier,
  { identifier: { type: 'email', value: 'ada@example.com' }, event: 'Register' },
  { identifier: { type: 'phone', value: '4917012345678' }, flash: 'password_changed' },
]

const notices: BootData['notice'][] = [
  { kind: 'inline', field: null, message: 'No.' },
  { kind: 'inline', field: 'identifier', message: 'No.' },
  { kind: 'alert', message: 'No.', back: 1 },
  { kind: 'confirm', message: 'No?', yes: 'Yes', intent: 'send', back: 1, about: 'terms' },
]

/** Returns every page in the page table with every navigation state and every notice. */
export const pagesWith = (settings: Experience): BootData[] =>
  pageTable.flatMap(({ path }) =>
    [
      ...navigations.map((navigation) => ({ navigation, notice: null })),
      ...notices.map((notice, index) => ({ navigation: navigations[index % 3] ?? null, notice })),
    ].map((state) => ({
      ...testBootData,
      ...state,
      path: path.replace(/:\w+$/, 'github'),
      ...(path === '/sign-in/account' && { accounts: returningAccounts }),
      search: '?interaction=uid&notification=demo_app.notification',
      experience: settings,
      values: { identifier: '+49 170 1234567' },
    })),
  )
