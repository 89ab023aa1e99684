/** What may be uploaded (spec/connectors#upload-content). */

/** Types that a client may declare; both names of an icon are in use. */
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

export const MOST_UPLOAD_BYTES = 8 * 1024 * 1024
