import { chooseLanguage, parseAcceptLanguage } from '../domain/language.ts'
import type { Dependencies } from './dependencies.ts'

/**
 * The language of a message: the first of the request's languages in which the tenant has phrases, else the tenant's
 * fallback language (spec/accounts#code-message).
 */
export async function messageLanguage(
  { experience, phrases }: Pick<Dependencies, 'experience' | 'phrases'>,
  tenantId: string,
  acceptLanguage: string | undefined,
): Promise<string> {
  const [{ languageInfo }, available] = await Promise.all([
    experience.get(tenantId),
    phrases.languages(tenantId),
  ])
  return chooseLanguage({
    requested: [...parseAcceptLanguage(acceptLanguage), languageInfo.fallbackLanguage],
    available,
    fallback: 'en',
  })
}
