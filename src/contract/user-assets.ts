/** What may be uploaded (product 3 and 9). */

/** What people may call their file; both names of an icon are in use. */
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
