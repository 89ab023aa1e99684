import { Hono } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request.ts'
import { BRAND_PICTURE_PREFIX } from '../contract/experience/brand-pictures.ts'
import { refuseWith } from '../contract/refused.ts'
import { brandPictureType } from '../domain/experience/brand-picture.ts'

/**
 * The headers of every picture. An SVG file that is opened directly is a document: the policy keeps it from running
 * scripts and from loading anything (ADR-0180). Mail clients and the tenant's other hosts may show pictures, too.
 */
const pictureHeaders = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=31536000, immutable',
}

/** Serves the pictures of a tenant's brand (spec/connectors#brand-pictures). */
export function brandPictureRoutes({ brandPictures }: Pick<Dependencies, 'brandPictures'>) {
  return new Hono<{ Variables: RequestFacts }>().get(`${BRAND_PICTURE_PREFIX}:name`, async (c) => {
    const { tenantId } = c.var
    const name = c.req.param('name')
    const type = brandPictureType(name)
    if (!type || !(await brandPictures.has(tenantId, name))) return refuseWith('entity.not_found')
    const headers = { ...pictureHeaders, etag: `"${name}"` }
    if (c.req.header('if-none-match')?.includes(headers.etag)) return c.body(null, 304, headers)
    const content = await brandPictures.get(tenantId, name)
    return content
      ? c.body(content, 200, { ...headers, 'content-type': type })
      : refuseWith('entity.not_found')
  })
}
