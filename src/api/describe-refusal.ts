import type { Context } from 'hono'
import { loadCatalogue } from '../contract/catalogue.ts'
import type { ErrorBody, Refusal } from '../contract/errors.ts'
import { builtInLanguages } from '../contract/experience/languages.ts'
import { chooseLanguage, parseAcceptLanguage } from '../domain/experience/language.ts'

/**
 * Returns the body of an error response, with its message in the language of the request
 * (spec/errors#message-language).
 */
export async function describeRefusal(c: Context, { code, data, details }: Refusal): Promise<ErrorBody> {
  const language = languageOf(c)
  // Most requests need no message, so the library of phrases is not loaded when the Worker starts.
  const { refusalMessage } = await import('../domain/messages.ts')
  return {
    message: refusalMessage({ catalogue: await loadCatalogue(language), language }, code, data),
    code,
    ...(data === undefined ? {} : { data }),
    ...(details === undefined ? {} : { details }),
  }
}

function languageOf(c: Context): string {
  const locale = c.req.query('locale')
  const accepted = parseAcceptLanguage(c.req.header('accept-language') ?? '')
  return chooseLanguage({
    requested: locale ? [locale, ...accepted] : accepted,
    available: builtInLanguages,
    fallback: 'en',
  })
}
