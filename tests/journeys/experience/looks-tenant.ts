import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { BrowserContext } from 'playwright'
import type { looks } from '../../../docs/design/looks.ts'
import { openTenant, type Tenant } from '../tenant.ts'

/** Creates a tenant with a theme of the gallery. Its users sign in with an address and a password. */

const byAddress = { identifier: 'email', password: true, verificationCode: false, isPasswordPrimary: true }

export const openLook = ({ experience }: (typeof looks)[keyof typeof looks]): Promise<Tenant> =>
  openTenant({
    ...experience,
    signIn: { methods: [byAddress] },
    signUp: { identifiers: ['email'], password: true, verify: true },
  })

/** Serves the pictures from the files in docs/design/art. */
export async function serveArt(context: BrowserContext): Promise<void> {
  await context.route('https://cdn.example.com/art/*', async (route) => {
    const file = path.join('docs/design/art', path.basename(new URL(route.request().url()).pathname))
    await route.fulfill({ contentType: 'image/svg+xml', body: readFileSync(file) })
  })
}
