import { connectorsQuery, unsealConnector } from '../../storage/connectors/connectors.ts'
import { type DuePicture, findDuePictures, settlePictures } from '../../storage/experience/brand-pictures.ts'
import type { Dependencies } from '../dependencies.ts'

/** The number of pictures that one scheduled run checks. Each picture is checked once a day. */
const MAX_CHECKED = 50

/**
 * Removes pictures of brands that nothing has used for a day, and returns their number (spec/storage#brand-pictures).
 */
export async function removeUnusedPictures({
  db,
  seals,
  now,
}: Pick<Dependencies, 'db' | 'seals' | 'now'>): Promise<number> {
  const checkedAt = now()
  const due = await findDuePictures(db, checkedAt, MAX_CHECKED)
  let removed = 0
  for (const [tenantId, pictures = []] of Object.entries(Object.groupBy(due, ({ tenantId }) => tenantId))) {
    const templates = pictures.every(({ isReferenced }) => isReferenced)
      ? []
      : await readTemplates({ db, seals }, tenantId)
    const isUsed = ({ isReferenced, name }: DuePicture) =>
      isReferenced || templates === null || templates.some((text) => text.includes(name))
    removed += await settlePictures(db, {
      used: pictures.filter(isUsed),
      unused: pictures.filter((picture) => !isUsed(picture)),
      now: checkedAt,
    })
  }
  return removed
}

/**
 * Returns the configurations of a tenant's connectors, whose templates may contain pictures, or null if one of them
 * cannot be decrypted.
 */
async function readTemplates(
  { db, seals }: Pick<Dependencies, 'db' | 'seals'>,
  tenantId: string,
): Promise<string[] | null> {
  const rows = await connectorsQuery(db, tenantId)
  const texts = await Promise.all(
    rows.map((row) =>
      unsealConnector(seals, row).then(
        ({ config }) => JSON.stringify(config),
        () => null,
      ),
    ),
  )
  return texts.some((text) => text === null) ? null : texts.filter((text) => text !== null)
}
