import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { BRAND_PICTURE_PREFIX } from '../../src/contract/experience/brand-pictures.ts'
import { brandPictureType } from '../../src/domain/experience/brand-picture.ts'
import type { Deployment } from '../deployment.ts'
import type { SettingsChange } from './change.ts'
import type { JsonObject } from './json.ts'
import { pathInFile } from './state.ts'

/**
 * Settings name pictures of the brand by their hash (spec/connectors#brand-pictures). The pictures themselves are in
 * this folder next to the settings file, so that a file can be applied to another deployment.
 */
const FOLDER = 'pictures'

const nameInFolder = (name: string) => `${FOLDER}/${name}`
const pathOf = (file: string, name: string) => path.join(path.dirname(file), FOLDER, name)

const PICTURE = new RegExp(`(https?://[\\w.:[\\]-]+)?${BRAND_PICTURE_PREFIX}([\\w-]{43}\\.[a-z]+)`, 'g')

/** Returns the names of the pictures in settings. URLs of other hosts are left out. */
function findPictureNames(settings: JsonObject, origin: string): string[] {
  const names = [...JSON.stringify(settings).matchAll(PICTURE)].flatMap(([, host = origin, name = '']) =>
    host === origin ? [name] : [],
  )
  return [...new Set(names)]
}

/** Writes the pictures in exported settings to the folder, and returns the names of the files. */
export async function writePictures(
  file: string,
  config: JsonObject,
  deployment: Deployment,
): Promise<string[]> {
  const names: string[] = []
  for (const name of findPictureNames(config, deployment.origin)) {
    const content = await deployment.readPicture(name)
    if (!content) continue
    mkdirSync(path.dirname(pathOf(file, name)), { recursive: true })
    writeFileSync(pathOf(file, name), content)
    names.push(nameInFolder(name))
  }
  return names
}

/** A picture that a deployment does not have yet. */
type MissingPicture = { name: string; content: Uint8Array<ArrayBuffer> }

/**
 * Returns the pictures in a plan that the deployment does not have, and the problems with those that are not in the
 * folder either.
 */
export async function findMissingPictures(
  changes: readonly SettingsChange[],
  file: string,
  deployment: Deployment,
): Promise<{ pictures: MissingPicture[]; problems: string[] }> {
  const pictures = new Map<string, MissingPicture>()
  const problems: string[] = []
  for (const change of changes) {
    if (change.action === 'delete') continue
    for (const name of findPictureNames(change.after, deployment.origin)) {
      if (pictures.has(name) || (await deployment.readPicture(name))) continue
      const content = existsSync(pathOf(file, name)) ? new Uint8Array(readFileSync(pathOf(file, name))) : null
      const place = pathInFile(change.section, change.id).join('.')
      if (!content)
        problems.push(
          `${place}: the deployment has no picture ${BRAND_PICTURE_PREFIX}${name}, and there is no file ${nameInFolder(name)}.`,
        )
      else if (!name.startsWith(`${createHash('sha256').update(content).digest('base64url')}.`))
        problems.push(
          `${place}: the file ${nameInFolder(name)} has changed, so its name isn't its hash anymore.`,
        )
      else pictures.set(name, { name, content })
    }
  }
  return { pictures: [...pictures.values()], problems }
}

/** Uploads a picture under its own name. */
export async function uploadPicture(
  { name, content }: MissingPicture,
  deployment: Deployment,
): Promise<void> {
  await deployment.uploadPicture(new File([content], name, { type: brandPictureType(name) ?? '' }))
}
