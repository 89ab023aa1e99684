import type { ContentType } from './upload-content.ts'

type NewUpload = {
  tenantId: string
  /** The id of the user, or of an application that acts on its own behalf. */
  userId: string
  /** A random part, so that the key cannot be guessed and never overwrites another file. */
  id: string
  fileName: string
  type: ContentType
  /** The time of the upload, in epoch milliseconds. */
  now: number
}

/** Returns a key of the form `tenant/user/yyyy/mm/dd/id/file name` (spec/connectors#upload-keys). */
export function uploadKey({ tenantId, userId, id, fileName, type, now }: NewUpload): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '/')
  return [toSegment(tenantId), toSegment(userId), day, id, safeFileName(fileName, type)].join('/')
}

/** Returns the prefix that all upload keys of a tenant begin with. */
export const uploadPrefix = (tenantId: string) => `${toSegment(tenantId)}/`

/** Returns the prefix that all upload keys of a user begin with. */
export const userUploadPrefix = (tenantId: string, userId: string) =>
  `${toSegment(tenantId)}/${toSegment(userId)}/`
/** Extracts the folder of a user's upload from the URL of the upload. Returns null for any other URL. */
export function uploadFolder(
  address: string,
  { tenantId, userId }: Pick<NewUpload, 'tenantId' | 'userId'>,
): string | null {
  const own = userUploadPrefix(tenantId, userId)
  const [path = ''] = address.split(/[?#]/)
  const key = path.slice(path.lastIndexOf(`/${own}`) + 1)
  return key.startsWith(own) && isUploadKey(key) ? key.slice(0, key.lastIndexOf('/') + 1) : null
}

const UPLOAD_KEY = /^[\w-]+\/[\w-]+\/\d{4}\/\d\d\/\d\d\/[A-Za-z\d]{8}\/[A-Za-z\d][\w.-]*$/

/**
 * Checks whether a key has the form that `uploadKey` creates, in which no segment is `..`. A tenant may keep other
 * files in its bucket under the same prefix.
 */
export const isUploadKey = (key: string) => UPLOAD_KEY.test(key)

/** Replaces characters that a key must not contain. Operators may choose ids with any characters. */
const toSegment = (id: string) => id.replaceAll(/[^\w-]/g, '_')

const MAX_LENGTH = 100

/**
 * Returns a file name of ASCII letters, digits and `.-_`, which need no escaping in paths, headers and signatures. The
 * extension matches the content, because some servers derive the type from it: a picture named `page.html` is stored as
 * `page.html.png`.
 */
export function safeFileName(fileName: string, type: ContentType): string {
  const base = fileName.split(/[/\\]/).at(-1) ?? ''
  const dot = base.lastIndexOf('.')
  const extension = fileExtensions[type].find((candidate) => candidate === base.slice(dot + 1).toLowerCase())
  const stem = extension ? base.slice(0, dot) : base
  return `${toAscii(stem) || 'file'}.${extension ?? fileExtensions[type][0]}`
}

const toAscii = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^[._-]+/, '')
    .slice(0, MAX_LENGTH)

/** The file name extensions of each type. New names get the first one. */
export const fileExtensions = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png', 'apng'],
  'image/gif': ['gif'],
  'image/vnd.microsoft.icon': ['ico'],
  'image/svg+xml': ['svg'],
  'image/tiff': ['tiff', 'tif'],
  'image/webp': ['webp'],
  'image/bmp': ['bmp', 'dib'],
} as const satisfies Record<ContentType, readonly [string, ...string[]]>
