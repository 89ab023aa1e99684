import type { BootData } from '../../src/contract/interactions/boot.ts'
import { PRODUCT_NAME } from '../../src/contract/product.ts'
import { createTranslator, type PhraseKey } from '../context/phrases.ts'
import { findPage } from './routes.ts'

type TitledPage = Pick<BootData, 'path' | 'language' | 'phrases'> &
  Partial<Pick<BootData, 'search' | 'notice' | 'navigation' | 'experience'>>

/**
 * Returns the title of a document: the title of the page at the path, and the heading `override` if other content is
 * shown (spec/pages#titles). If a form has an error, the title begins with the error, because nothing else announces
 * it without JavaScript.
 */
export function pageTitle(page: TitledPage, override: PhraseKey | null = null): string {
  const t = createTranslator(page)
  const brand = page.experience?.branding.name
  const purpose = purposeOf(page)
  // The browser tab and the first words that a screen reader speaks identify the service (spec/experience#brand-name).
  const parts = purpose
    ? brand && purpose === 'description.sign_in'
      ? [t('vestibule.sign_in_to', { brand })]
      : [t(purpose), brand]
    : [t(override ?? headingKey(page)), brand ?? PRODUCT_NAME]
  if (purpose && override) parts.push(t(override))
  const title = parts.filter(Boolean).join(' · ')
  return page.notice ? t('vestibule.title_of_error', { title }) : title
}

/**
 * Returns what users do at a path, whether or not it has a page, or null if the heading of the page is its title. The
 * pages below /continue complete an account during a registration or a sign-in.
 */
function purposeOf({ path, navigation }: TitledPage): PhraseKey | null {
  if (path.startsWith('/forgot-password')) return 'description.reset_password'
  const isRegistration = path.startsWith('/continue')
    ? navigation?.event === 'Register'
    : /^\/(?:register|social\/link)/.test(path)
  if (isRegistration) return 'description.create_account'
  return /^\/(?:sign-in|callback|consent|continue)/.test(path) ? 'description.sign_in' : null
}

function headingKey({ path, search = '' }: TitledPage): PhraseKey {
  const heading = findPage(path)?.heading ?? 'description.not_found'
  return typeof heading === 'function' ? heading(search) : heading
}
