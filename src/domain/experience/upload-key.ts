import type { ContentType } from './upload-content.ts'

type NewUpload = {
  tenantId: string
  /** The id of the user, or of an application that acts for itself. */
  userId: string
  /** Random, so that it cannot be guessed and never overwrites another file. */
  id: string
  fileName: string
  type: ContentType
  /** In epoch milliseconds. */
  now: number
}

/** Returns a key of the form `tenant/user/yyyy/mm/dd/id/file name` (spec/connectors#upload-keys). */
export function uploadKey({ tenantId, userId, id, fileName, type, now }: NewUpload): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '/')
  return [toSegment(tenantId), toSegment(userId), day, id, safeFileName(fileName, type)].join('/')
}

/** Returns the common prefix of all keys of a tenant. */
export const uploadPrefix = (tenantId: string) => `${toSegment(tenantId)}/`

/** Returns the common prefix of all keys of a user. */
export const userUploadPrefix = (tenantId: string, userId: string) =>
  `${toSegment(tenantId)}/${toSegment(userId)}/`
/** Returns the folder of a user's upload, given the address where it is served, or null for any other address. */
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
 * Checks for a key made here, because a tenant may keep other files in its bucket under the same prefix. No part of a
 * key is `..`.
 */
export const isUploadKey = (key: string) => UPLOAD_KEY.test(key)

/** Operators may choose ids that contain other characters. */
const toSegment = (id: string) => id.replaceAll(/[^\w-]/g, '_')

const MAX_LENGTH = 100

/**
 * Returns a name of ASCII letters, digits and `.-_`, which mean the same in a path, a header and a signature. The
 * extension follows the content, for servers that go by it: a picture named `page.html` is stored as `page.html.png`.
 */
export function safeFileName(fileName: string, type: ContentType): string {
  const base = fileName.split(/[/\\]/).at(-1) ?? ''
  const dot = base.lastIndexOf('.')
  const extension = extensions[type].find((candidate) => candidate === base.slice(dot + 1).toLowerCase())
  const stem = extension ? base.slice(0, dot) : base
  return `${toAscii(stem) || 'file'}.${extension ?? extensions[type][0]}`
}

const toAscii = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^[._-]+/, '')
    .slice(0, MAX_LENGTH)

const extensions = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png', 'apng'],
  'image/gif': ['gif'],
  'image/vnd.microsoft.icon': ['ico'],
  'image/svg+xml': ['svg'],
  'image/tiff': ['tiff', 'tif'],
  'image/webp': ['webp'],
  'image/bmp': ['bmp', 'dib'],
} as const satisfies Record<ContentType, readonly [string, ...string[]]>
