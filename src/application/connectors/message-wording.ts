import { chooseLanguage, parseAcceptLanguage } from '../../domain/experience/language.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * What a message is written with: the name of the brand, where the tenant has one, and the language, the first of the request's languages in which the tenant has phrases, else the tenant's
 * fallback language (spec/accounts#code-message).
 */
export async function messageWording(
  { experience, phrases }: Pick<Dependencies, 'experience' | 'phrases'>,
  tenantId: string,
  acceptLanguage: string | undefined,
): Promise<{ language: string; brand: string | undefined }> {
  const [{ branding, languageInfo }, available] = await Promise.all([
    experience.get(tenantId),
    phrases.languages(tenantId),
  ])
  const language = chooseLanguage({
    requested: [...parseAcceptLanguage(acceptLanguage), languageInfo.fallbackLanguage],
    available,
    fallback: 'en',
  })
  return { language, brand: branding.name }
}
