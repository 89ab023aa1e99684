import { Hono } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import type { InProcessApi } from '../in-process.ts'
import { type AccountEnv, askedBy } from './account-request.ts'
import { DATA_SCHEMA, dataSchema } from './data-schema.ts'
import { DELETED, deletedPage } from './deleted-page.tsx'
import { finishLink } from './finish-link.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { keyRoutes } from './key-routes.ts'
import { returningPage } from './returning-page.tsx'
import { signOut } from './sign-out.ts'

/** Addresses under `/account` that are no pages. `inside` is this Worker. */
export const otherRoutes = (dependencies: Dependencies, inside: InProcessApi) =>
  new Hono<AccountEnv>()
    .get('/account/callback', (c) =>
      finishSignIn(dependencies, askedBy(c), (request) => inside.fetch(request, c.executionCtx)),
    )
    .get('/account/identities/answer/:connectorId', (c) => {
      const asked = askedBy(c)
      const { pathname, searchParams } = asked.url
      const id = tryDecode(pathname.slice(pathname.lastIndexOf('/') + 1))
      if (!searchParams.has('state')) return returningPage(dependencies, asked, id)
      const { ip, onAudited } = c.env
      const sent = { form: new URLSearchParams(), file: null, ip, onAudited, context: c.executionCtx }
      return finishLink(dependencies, { ...asked, ...sent }, id)
    })
    .get(DELETED, (c) => deletedPage(dependencies, askedBy(c)))
    .get(DATA_SCHEMA, (c) => dataSchema(c.env.url))
    .route('/', keyRoutes(dependencies, inside))
    .post('/account/sign-out', (c) => signOut(dependencies, askedBy(c)))

/** What is not encoded as addresses are names no connector. */
function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
