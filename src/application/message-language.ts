import { chooseLanguage, parseAcceptLanguage } from '../domain/language.ts'
import type { Dependencies } from './dependencies.ts'

/** What a message says is in the language of who asked for it, as far as the tenant speaks it (decision 33). */
export async function messageLanguage(
  { experience, phrases }: Pick<Dependencies, 'experience' | 'phrases'>,
  tenantId: string,
  accepted: string | undefined,
): Promise<string> {
  const [{ languageInfo }, available] = await Promise.all([
    experience.get(tenantId),
    phrases.languages(tenantId),
  ])
  return chooseLanguage({
    requested: [...parseAcceptLanguage(accepted), languageInfo.fallbackLanguage],
    available,
    fallback: 'en',
  })
}
