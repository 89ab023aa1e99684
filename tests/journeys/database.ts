import { readdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'

/** Longer than the lifetime of any code (spec/limits#codes). */
const HOUR_MS = 60 * 60 * 1000

/** Makes the codes to an address expire, in the file of the started server's database. */
export function ageCodes(email: string): void {
  const folder = path.join(inject('data'), 'v3/d1/miniflare-D1DatabaseObject')
  const file = readdirSync(folder).find((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
  if (!file) throw new Error(`no database in ${folder}`)
  const database = new DatabaseSync(path.join(folder, file))
  const { changes } = database
    .prepare('update passcodes set created_at = created_at - ? where email = ?')
    .run(HOUR_MS, email)
  database.close()
  if (changes === 0) throw new Error(`no code was sent to ${email}`)
}
