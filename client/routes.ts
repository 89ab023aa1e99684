import type { ComponentType } from 'react'
import type { BootData } from '../src/contract/boot.ts'
import type { Experience } from '../src/contract/experience.ts'
import { PRODUCT_NAME } from '../src/contract/product.ts'
import type { PageKind } from './frame.tsx'
import { ConsentPage } from './pages/consent.tsx'
import { STILL_SIGNED_IN, StillSignedInPage } from './pages/logout.tsx'
import { RegisterPage } from './pages/register.tsx'
import { RegisterPasswordPage } from './pages/register-password.tsx'
import { SignInPage } from './pages/sign-in.tsx'
import { UnknownSessionPage } from './pages/unknown-session.tsx'
import { type PhraseKey, translator } from './phrases.ts'

export type PageRow = {
  /** As wouter writes patterns. */
  path: string
  Page: ComponentType
  kind: PageKind
  /** What a visitor must bring: an interaction, and for a step what the page before it learned (decision 5, 7). */
  needs: 'nothing' | 'interaction' | 'step'
  /** The page this one is a step of. */
  back?: string
  /** False where the operator's settings leave the page nothing to do. */
  isOffered?: (experience: Experience) => boolean
  /** Where the operator's settings send everybody who comes here. */
  instead?: (experience: Experience) => string | null
}

export const pages: readonly PageRow[] = [
  {
    path: '/sign-in',
    Page: SignInPage,
    kind: 'landing',
    needs: 'interaction',
    instead: ({ signInMode }) => (signInMode === 'Register' ? '/register' : null),
  },
  { path: '/sign-in/consent', Page: ConsentPage, kind: 'passing', needs: 'interaction' },
  {
    path: '/register',
    Page: RegisterPage,
    kind: 'landing',
    needs: 'interaction',
    instead: ({ signInMode }) => (signInMode === 'SignIn' ? '/sign-in' : null),
  },
  {
    path: '/register/password',
    Page: RegisterPasswordPage,
    kind: 'step',
    needs: 'step',
    back: '/register',
    isOffered: ({ signInMode, signUp }) => signInMode !== 'SignIn' && signUp.identifiers.includes('username'),
  },
  { path: '/unknown-session', Page: UnknownSessionPage, kind: 'step', needs: 'nothing' },
  { path: STILL_SIGNED_IN, Page: StillSignedInPage, kind: 'step', needs: 'nothing' },
]

/** The page at a path, whether or not the settings offer it. */
export function findPage(path: string): { row: PageRow; params: Record<string, string> } | null {
  const row = pages.find((page) => page.path === path)
  return row ? { row, params: {} } : null
}

export type PageChoice =
  | { kind: 'page'; row: PageRow }
  | { kind: 'redirect'; path: string }
  | { kind: 'stepMissing'; row: PageRow }
  | { kind: 'notFound' }

/** Which page a path leads to, given the settings and what the visitor brought. The server answers it as 302, 200 or 404. */
export function choosePage(
  path: string,
  { experience, step }: Pick<BootData, 'experience' | 'step'>,
): PageChoice {
  const row = findPage(path)?.row
  if (!row || row.isOffered?.(experience) === false) return { kind: 'notFound' }

  const elsewhere = row.instead?.(experience)
  if (elsewhere) return { kind: 'redirect', path: elsewhere }
  return row.needs === 'step' && !step?.identifier ? { kind: 'stepMissing', row } : { kind: 'page', row }
}

/** The page so many steps before this one, by the table: for visitors whose browser has no history of ours. */
export function pageBefore(path: string, steps: number): string | null {
  const back = findPage(path)?.row.back
  return back && steps > 1 ? (pageBefore(back, steps - 1) ?? back) : (back ?? null)
}

/** Product 2, Page titles: the first that the path starts with. */
const titles = [
  ['/sign-in', 'description.sign_in'],
  ['/callback', 'description.sign_in'],
  ['/consent', 'description.sign_in'],
  ['/register', 'description.create_account'],
  ['/social/link', 'description.create_account'],
  ['/forgot-password', 'description.reset_password'],
] as const satisfies readonly (readonly [string, PhraseKey])[]

/** A page that comes back with an error says so first: without script nothing else announces it. */
export function pageTitle(
  page: Pick<BootData, 'path' | 'language' | 'phrases'> & Partial<Pick<BootData, 'notice'>>,
): string {
  const t = translator(page)
  const row = titles.find(([start]) => page.path.startsWith(start))
  const title = row ? t(row[1]) : PRODUCT_NAME
  return page.notice ? t('vestibule.title_of_error', { title }) : title
}
