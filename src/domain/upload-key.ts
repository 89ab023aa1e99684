import type { ContentType } from './upload-content.ts'

export type NewUpload = {
  tenantId: string
  /** Who uploads: a user, or an application by itself. */
  userId: string
  /** Random, so that nobody guesses it and nothing is overwritten. */
  id: string
  fileName: string
  type: ContentType
  /** Epoch milliseconds. */
  now: number
}

/** Where an upload is kept (contract 8.2): `tenant/user/yyyy/mm/dd/id/file name`. */
export function uploadKey({ tenantId, userId, id, fileName, type, now }: NewUpload): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '/')
  return [oneSegment(tenantId), oneSegment(userId), day, id, safeFileName(fileName, type)].join('/')
}

/** An operator may choose ids. */
const oneSegment = (id: string) => id.replaceAll(/[^\w-]/g, '_')

const LONGEST = 100

/**
 * Letters of ASCII, digits and `.-_` mean the same in a path, a header and a signature everywhere. The name ends as the
 * content says, for servers that go by it: a picture that is called `page.html` is kept as `page.html.png`.
 */
export function safeFileName(fileName: string, type: ContentType): string {
  const base = fileName.split(/[/\\]/).at(-1) ?? ''
  const dot = base.lastIndexOf('.')
  const extension = endings[type].find((known) => known === base.slice(dot + 1).toLowerCase())
  const stem = extension ? base.slice(0, dot) : base
  return `${plain(stem) || 'file'}.${extension ?? endings[type][0]}`
}

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^[._-]+/, '')
    .slice(0, LONGEST)

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
