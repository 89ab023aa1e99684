import { loadCatalogue } from '../../contract/catalogue.ts'
import type { Phrases } from '../../contract/interactions/boot.ts'
import { refuseWith } from '../../contract/refused.ts'
import { describeChanges } from '../../domain/audit-changes.ts'
import { findUnknownPhrase } from '../../domain/experience/phrases.ts'
import { commitChange } from '../../storage/commit.ts'
import {
  deleteCustomPhrasesIfUnused,
  getCustomPhrases,
  hasUnusedPhrases,
  putCustomPhrases,
} from '../../storage/experience/custom-phrases.ts'
import { readExperience } from '../../storage/experience/experience.ts'
import { randomId } from '../../storage/ids.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'

type PhraseDependencies = Pick<Dependencies, 'db' | 'phrases'>
type PhraseChange = Guarded & { tenantId: string; languageTag: string; audit: AuditEntry }

/**
 * Replaces the custom phrases of a language. Rejects keys that the English catalogue does not have,
 * except plural forms of the language (spec/management#custom-phrases).
 */
export async function replaceCustomPhrases(
  { db, phrases }: PhraseDependencies,
  { tenantId, languageTag, translation, audit, preconditions }: PhraseChange & { translation: Phrases },
) {
  const stray = findUnknownPhrase(translation, (await loadCatalogue('en')).translation, languageTag)
  if (stray !== null) refuseWith('localization.invalid_translation_structure', { key: stray })

  const before = await getCustomPhrases(db, tenantId, languageTag)
  const { stored } = await commitChange(db, {
    tenantId,
    preconditions,
    audit: audit.success(describeChanges(phrasesByPath(before?.translation), phrasesByPath(translation))),
    statements: { stored: putCustomPhrases(db, tenantId, { id: randomId(), languageTag, translation }) },
  })
  phrases.forget(tenantId, languageTag)
  return stored[0] ?? refuseWith('entity.create_failed')
}

/** Deletes a language's custom phrases. Throws for the fallback language, because the pages need it. */
export async function deleteCustomPhrases(
  { db, phrases }: PhraseDependencies,
  { tenantId, languageTag, audit, preconditions }: PhraseChange,
): Promise<void> {
  const { deleted } = await commitChange(db, {
    tenantId,
    condition: hasUnusedPhrases(tenantId, languageTag),
    preconditions,
    audit: audit.success(),
    statements: { deleted: deleteCustomPhrasesIfUnused(db, tenantId, languageTag) },
  })
  phrases.forget(tenantId, languageTag)
  if (deleted.length > 0) return
  const experience = await readExperience(db, tenantId)
  if (experience?.languageInfo.fallbackLanguage !== languageTag) refuseWith('entity.not_found')
  refuseWith('localization.cannot_delete_default_language', { languageTag })
}

/** Returns phrases by their whole path. A phrase whose last name is `password` is not a secret. */
function phrasesByPath(phrases: Phrases = {}, prefix = ''): Record<string, string> {
  const entries = Object.entries(phrases).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[prefix + name, value] as const]
      : Object.entries(phrasesByPath(value, `${prefix}${name}.`)),
  )
  return Object.fromEntries(entries)
}
