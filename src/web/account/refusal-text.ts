import { loadCatalogue } from '../../contract/catalogue.ts'
import type { Refusal } from '../../contract/errors.ts'
import { refusalMessage } from '../../domain/messages.ts'
import { type PageContextSources, readPageContext } from '../pages/page-context.ts'
import type { AskedAccount } from './visit.ts'

/** Why a form was refused, in the language of the page. */
export async function refusalText(
  dependencies: PageContextSources,
  asked: AskedAccount,
  { code, data }: Refusal,
): Promise<string> {
  const { language } = await readPageContext(dependencies, asked)
  return refusalMessage(await loadCatalogue(language), code, data)
}
