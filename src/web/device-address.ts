import { Hono } from 'hono'
import type { RequestFacts } from '../application/request.ts'
import { DEVICE_PATH } from '../contract/sessions/device.ts'

/**
 * Serves the short URL that devices display for users to type. It redirects to the actual page below the
 * provider's path (spec/pages#devices).
 */
export const deviceAddressRoute = () =>
  new Hono<{ Variables: RequestFacts }>().get(DEVICE_PATH, (c) => {
    const code = c.req.query('user_code')
    const query = code === undefined ? '' : `?${new URLSearchParams({ user_code: code })}`
    return c.redirect(`/oidc${DEVICE_PATH}${query}`)
  })
