import type { BootData } from '../../src/contract/boot.ts'
import { PRODUCT_NAME } from '../../src/contract/product.ts'
import { findPage } from '../routes.ts'
import { createTranslator, type PhraseKey } from './phrases.ts'

/** The title of a page with an error begins with that: without script nothing else announces it. */
export function pageTitle(
  page: Pick<BootData, 'path' | 'language' | 'phrases'> & Partial<Pick<BootData, 'notice' | 'navigation'>>,
): string {
  const t = createTranslator(page)
  const key = titleKey(page)
  const title = key ? t(key) : PRODUCT_NAME
  return page.notice ? t('vestibule.title_of_error', { title }) : title
}

function titleKey({ path, navigation = null }: Parameters<typeof pageTitle>[0]): PhraseKey | null {
  // Not a page: what went wrong on the way back from a provider is shown here.
  if (path.startsWith('/callback/')) return 'description.sign_in'
  const title = findPage(path)?.title ?? null
  return typeof title === 'function' ? title(navigation) : title
}
