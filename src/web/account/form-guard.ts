import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { BODY_MAX_BYTES } from '../../contract/body-limit.ts'
import { PICTURE_MAX_BYTES, PICTURE_PATH } from '../../contract/experience/user-assets.ts'
import { isForm } from '../../contract/form-body.ts'
import { isSameOrigin } from '../../domain/same-origin.ts'

type Refuse = (c: Context, status: 403 | 413 | 415) => Promise<Response>

/** A form comes from our own pages (spec/interaction#same-origin), is one without files but on the page of the picture, and is not large. */
export function formGuard(refuse: Refuse): MiddlewareHandler[] {
  const onError = (c: Context) => refuse(c, 413)
  const formLimit = bodyLimit({ maxSize: BODY_MAX_BYTES, onError })
  // The boundaries around the picture are small.
  const uploadLimit = bodyLimit({ maxSize: PICTURE_MAX_BYTES + BODY_MAX_BYTES, onError })
  return [
    async (c, next) => {
      if (c.req.method !== 'POST') return next()
      if (!isSameOrigin(c.req.raw)) return refuse(c, 403)
      return (takesFile(c) ? isUpload(c.req.header('content-type')) : isForm(c.req.raw))
        ? next()
        : refuse(c, 415)
    },
    (c, next) => (takesFile(c) ? uploadLimit : formLimit)(c, next),
  ]
}

/** Its other form has no file and is small, but is a form all the same. */
const takesFile = (c: Context) => c.req.path === PICTURE_PATH && !isForm(c.req.raw)

const isUpload = (contentType = '') => /^multipart\/form-data\s*;/i.test(contentType)
