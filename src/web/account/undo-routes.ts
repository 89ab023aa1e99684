import { Hono } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import { UNDO_PATH } from '../../application/undo-link.ts'
import { type AccountEnv, askedBy, formOf, refusedPage } from './account-request.ts'
import { answerUndo } from './answer-undo.ts'
import { showUndo } from './undo-page.tsx'

/** For whoever has the link, signed in or not. */
export const undoRoutes = (dependencies: Dependencies) =>
  new Hono<AccountEnv>()
    .get(UNDO_PATH, (c) => showUndo(dependencies, askedBy(c)))
    .post(UNDO_PATH, async (c) => answerUndo(dependencies, await formOf(c)))
    .all(UNDO_PATH, (c) => refusedPage(dependencies, c, 405))
