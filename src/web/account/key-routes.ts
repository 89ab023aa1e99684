import { type Context, Hono } from 'hono'
import { INVITATION_PATH } from '../../application/access/invite.ts'
import { UNDO_PATH } from '../../application/account/undo-link.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { InProcessApi } from '../in-process.ts'
import { type AccountEnv, askedBy, formOf, refusedPage } from './account-request.ts'
import { answerInvitation } from './answer-invitation.ts'
import { answerUndo } from './answer-undo.ts'
import { showInvitation } from './invitation-page.tsx'
import { showUndo } from './undo-page.tsx'

/** For whoever has the link, signed in or not: it is the key to what its page does. */
export const keyRoutes = (dependencies: Dependencies, inside: InProcessApi) =>
  new Hono<AccountEnv>()
    .get(UNDO_PATH, (c) => showUndo(dependencies, askedBy(c)))
    .post(UNDO_PATH, async (c) => answerUndo(dependencies, await formOf(c)))
    .all(UNDO_PATH, (c) => refusedPage(dependencies, c, 405))
    .use(INVITATION_PATH, async (c, next) => {
      await next()
      c.header('referrer-policy', 'no-referrer')
      c.header('x-robots-tag', 'noindex')
    })
    .get(INVITATION_PATH, (c) => showInvitation(dependencies, visitOf(c)))
    .post(INVITATION_PATH, async (c) =>
      answerInvitation(dependencies, await formOf(c), (request) => inside.fetch(request, c.executionCtx)),
    )
    .all(INVITATION_PATH, (c) => refusedPage(dependencies, c, 405))

const visitOf = (c: Context<AccountEnv>) => ({ ...askedBy(c), context: c.executionCtx })
