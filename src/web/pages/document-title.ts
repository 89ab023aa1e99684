import { pageTitle } from '../../../client/app/page-title.ts'
import type { PhraseKey } from '../../../client/context/phrases.ts'
import type { BootData } from '../../contract/interactions/boot.ts'

/** The title of a document, which may have an error or a sign-out in place of the page at its path (spec/pages#titles). */
export const documentTitle = (boot: BootData): string => pageTitle(boot, inPlaceOfPage(boot))

function inPlaceOfPage({ error, logout }: BootData): PhraseKey | null {
  if (error) return error.code.startsWith('session.') ? 'vestibule.expired_title' : 'vestibule.error_title'
  if (!logout) return null
  return logout.stage === 'done' ? 'vestibule.signed_out_title' : 'vestibule.sign_out_title'
}
