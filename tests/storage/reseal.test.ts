import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { hookSecretLabel, insertHook } from '../../src/storage/hooks/hooks.ts'
import { randomId } from '../../src/storage/ids.ts'
import { resealSecrets } from '../../src/storage/reseal.ts'
import { createSeals } from '../../src/storage/seal.ts'
import { hooks } from '../../src/storage/tables.ts'
import { newTenant, testDatabases } from './databases.ts'

const [OLD, NEW] = ['the root secret before, long enough', 'the root secret after, long enough!']
const old = createSeals(OLD)
const both = createSeals(NEW, OLD)

describe.each(testDatabases)('resealing on $name', ({ db }) => {
  it('continues in the next run, counts unreadable values and changes only the sealed columns', async () => {
    const tenantId = await newTenant(db)
    const ids = Array.from({ length: 250 }, () => randomId())
    const config = { url: 'https://a.example', retries: 0 }
    for (const id of ids) {
      const secret = await old.seal(hookSecretLabel(tenantId, id), `secret of ${id}`)
      await insertHook(db, { tenantId, id, events: ['PostSignIn'], config, secret, createdAt: 1 })
    }
    const lost = { tenantId, id: randomId(), config, createdAt: 1 }
    await insertHook(db, {
      ...lost,
      events: ['PostSignIn'],
      secret: await createSeals('a root secret that was lost before').seal('x/y', 1),
    })

    const first = await resealSecrets(db, both)
    expect(first).toMatchObject({ isComplete: false })
    expect(first.resealed).toBeGreaterThanOrEqual(200)
    const second = await resealSecrets(db, both)
    expect(second).toMatchObject({ resealed: 250 - first.resealed, isComplete: true })
    // Other tests share the libSQL server and store secrets that are not sealed.
    expect(second.unreadable).toBeGreaterThanOrEqual(1)
    expect(await resealSecrets(db, both)).toMatchObject({ resealed: 0, isComplete: true })

    const rows = await db.select().from(hooks).where(eq(hooks.tenantId, tenantId))
    const opened = await Promise.all(
      rows.map(({ id, secret }) => createSeals(NEW).open(hookSecretLabel(tenantId, id), secret)),
    )
    expect(opened.filter((secret) => secret !== null)).toHaveLength(250)
    expect(rows.every((row) => row.config.url === config.url && row.createdAt === 1)).toBe(true)
  })
})
