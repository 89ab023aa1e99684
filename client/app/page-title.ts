import type { BootData } from '../../src/contract/interactions/boot.ts'
import { PRODUCT_NAME } from '../../src/contract/product.ts'
import { createTranslator, type PhraseKey } from '../context/phrases.ts'
import { findPage } from './routes.ts'

type TitledPage = Pick<BootData, 'path' | 'language' | 'phrases'> &
  Partial<Pick<BootData, 'search' | 'notice' | 'navigation' | 'experience'>>

/**
 * Returns the title of a document: the title of the page at the path, and the heading `override` if other
 * content is shown (spec/pages#titles). If a form has an error, the title begins with the error, because nothing else announces it
 * without JavaScript.
 */
export function pageTitle(page: TitledPage, override: PhraseKey | null = null): string {
  const t = createTranslator(page)
  const brand = page.experience?.branding.name
  const purpose = purposeOf(page)
  // The browser tab and the first words that a screen reader speaks identify the service (spec/experience#brand-name).
  const parts =
    purpose === 'description.sign_in' && brand
      ? [t('vestibule.sign_in_to', { brand })]
      : [t(purpose ?? override ?? headingKey(page)), purpose ? brand : (brand ?? PRODUCT_NAME)]
  const title = [...parts, purpose && override && t(override)].filter(Boolean).join(' · ')
  return page.notice ? t('vestibule.title_of_error', { title }) : title
}

/** What users do at the paths that begin like this, whether or not there is a page. */
const purposes: readonly [start: RegExp, purpose: PhraseKey][] = [
  [/^\/(?:sign-in|callback|consent)/, 'description.sign_in'],
  [/^\/(?:register|social\/link)/, 'description.create_account'],
  [/^\/forgot-password/, 'description.reset_password'],
]

/** Returns what users do at a path, or null if the heading of the page is its title. */
function purposeOf({ path, navigation }: TitledPage): PhraseKey | null {
  // These pages complete an account during a registration or a sign-in.
  if (path.startsWith('/continue'))
    return navigation?.event === 'Register' ? 'description.create_account' : 'description.sign_in'
  return purposes.find(([start]) => start.test(path))?.[1] ?? null
}

function headingKey({ path, search = '', navigation = null }: TitledPage): PhraseKey {
  const heading = findPage(path)?.heading ?? 'description.not_found'
  return typeof heading === 'function' ? heading({ search, navigation }) : heading
}
