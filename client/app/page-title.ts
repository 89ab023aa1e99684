import type { BootData } from '../../src/contract/interactions/boot.ts'
import { createTranslator, type PhraseKey, type Translate } from '../context/phrases.ts'
import { findPage } from './routes.ts'

type TitledPage = Pick<BootData, 'path' | 'language' | 'phrases'> &
  Partial<Pick<BootData, 'notice' | 'navigation' | 'experience'>>

/**
 * Returns the title of a document: the title of the page at the path, or `override` if other content is shown
 * (spec/pages#titles). If a form has an error, the title begins with the error, because nothing else announces it
 * without JavaScript.
 */
export function pageTitle(page: TitledPage, override: PhraseKey | null = null): string {
  const t = createTranslator(page)
  const title = titleOf(override ?? titleKey(page), page.experience?.branding.name, t)
  return page.notice ? t('vestibule.title_of_error', { title }) : title
}

/**
 * Adds the brand name, so that the browser tab and the first words that a screen reader speaks identify the service
 * (spec/experience#brand-name).
 */
function titleOf(key: PhraseKey, brand: string | undefined, t: Translate): string {
  if (!brand) return t(key)
  return key === 'description.sign_in' ? t('vestibule.sign_in_to', { brand }) : `${t(key)} · ${brand}`
}

function titleKey({ path, navigation = null }: TitledPage): PhraseKey {
  const title = findPage(path)?.title ?? 'description.not_found'
  return typeof title === 'function' ? title(navigation) : title
}
