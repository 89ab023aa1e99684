/** The limits for uploads (spec/connectors#upload-content). */

/** The media types that a client may declare. Icons have two, because both are in use. */
export const uploadMimeTypes = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/vnd.microsoft.icon',
  'image/x-icon',
  'image/svg+xml',
  'image/tiff',
  'image/webp',
  'image/bmp',
] as const
export type UploadMimeType = (typeof uploadMimeTypes)[number]

export const MAX_UPLOAD_BYTES = 8 * 1024 * 1024

/** The path to which a form uploads the user's picture (spec/account-centre#picture). */
export const PICTURE_PATH = '/account/picture'
export const PICTURE_MAX_BYTES = 1024 * 1024
