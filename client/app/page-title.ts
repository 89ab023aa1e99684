import type { BootData } from '../../src/contract/boot.ts'
import { PRODUCT_NAME } from '../../src/contract/product.ts'
import { findPage } from '../routes.ts'
import { createTranslator, type PhraseKey, type Translate } from './phrases.ts'

/** The title of a page with an error begins with that: without script nothing else announces it. */
export function pageTitle(
  page: Pick<BootData, 'path' | 'language' | 'phrases'> &
    Partial<Pick<BootData, 'notice' | 'navigation' | 'experience'>>,
): string {
  const t = createTranslator(page)
  const key = titleKey(page)
  const title = titleOf(key, page.experience?.branding.name, t)
  return page.notice ? t('vestibule.title_of_error', { title }) : title
}

/** With the name of the brand: a tab, and what a screen reader says first, name the service (spec/experience#brand-name). */
function titleOf(key: PhraseKey | null, brand: string | undefined, t: Translate): string {
  if (!key) return brand ?? PRODUCT_NAME
  if (!brand) return t(key)
  return key === 'description.sign_in' ? t('vestibule.sign_in_to', { brand }) : `${t(key)} · ${brand}`
}

function titleKey({ path, navigation = null }: Parameters<typeof pageTitle>[0]): PhraseKey | null {
  // Not a page: what went wrong on the way back from a provider is shown here.
  if (path.startsWith('/callback/')) return 'description.sign_in'
  const title = findPage(path)?.title ?? null
  return typeof title === 'function' ? title(navigation) : title
}
