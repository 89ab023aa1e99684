import { BRAND_PICTURE_PREFIX } from '../../contract/experience/brand-pictures.ts'
import type { ContentType } from './upload-content.ts'
import { fileExtensions } from './upload-key.ts'

/**
 * Returns the file name of a brand picture. It consists of the content's SHA-256 hash, so a URL always has the same
 * content, and of the extension, which tells browsers and mail clients the type (spec/connectors#brand-pictures).
 */
export const brandPictureName = (hash: string, type: ContentType): string =>
  `${hash}.${fileExtensions[type][0]}`

/** Returns the media type with which a brand picture is served. */
export const brandPictureType = (name: string): string | undefined =>
  Object.entries(fileExtensions).find(([, [extension]]) => name.endsWith(`.${extension}`))?.[0]

export const brandPicturePath = (name: string): string => BRAND_PICTURE_PREFIX + name
