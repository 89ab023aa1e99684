import type { ContentType } from './upload-content.ts'

type NewUpload = {
  tenantId: string
  /** The user, or the application by itself. */
  userId: string
  /** Random, so that it cannot be guessed and overwrites nothing. */
  id: string
  fileName: string
  type: ContentType
  /** Epoch milliseconds. */
  now: number
}

/** `tenant/user/yyyy/mm/dd/id/file name` (spec/connectors#upload-keys). */
export function uploadKey({ tenantId, userId, id, fileName, type, now }: NewUpload): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '/')
  return [oneSegment(tenantId), oneSegment(userId), day, id, safeFileName(fileName, type)].join('/')
}

/** What all keys of a tenant begin with. */
export const uploadPrefix = (tenantId: string) => `${oneSegment(tenantId)}/`

/** The same of a user. */
export const userUploadPrefix = (tenantId: string, userId: string) =>
  `${oneSegment(tenantId)}/${oneSegment(userId)}/`
/** The folder of an upload of this user, by the address where it is served; null for an address that is none. */
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

/** Made here: in a bucket of its own a tenant may keep other files under the same prefix. No part of it is `..`. */
export const isUploadKey = (key: string) => UPLOAD_KEY.test(key)

/** Operators may choose ids. */
const oneSegment = (id: string) => id.replaceAll(/[^\w-]/g, '_')

const MAX_LENGTH = 100

/**
 * ASCII letters, digits and `.-_` mean the same in a path, a header and a signature. The extension follows the content,
 * for servers that serve by it: a picture named `page.html` is stored as `page.html.png`.
 */
export function safeFileName(fileName: string, type: ContentType): string {
  const base = fileName.split(/[/\\]/).at(-1) ?? ''
  const dot = base.lastIndexOf('.')
  const extension = endings[type].find((ending) => ending === base.slice(dot + 1).toLowerCase())
  const stem = extension ? base.slice(0, dot) : base
  return `${plain(stem) || 'file'}.${extension ?? endings[type][0]}`
}

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^[._-]+/, '')
    .slice(0, MAX_LENGTH)

const endings = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png', 'apng'],
  'image/gif': ['gif'],
  'image/vnd.microsoft.icon': ['ico'],
  'image/svg+xml': ['svg'],
  'image/tiff': ['tiff', 'tif'],
  'image/webp': ['webp'],
  'image/bmp': ['bmp', 'dib'],
} as const satisfies Record<ContentType, readonly [string, ...string[]]>
