import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { invitationPaths } from '../../application/access/invitation-links.ts'
import { readAccountLink } from '../../application/account/account-link.ts'
import { UNDO_PATH } from '../../application/account/undo-link.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { RefusalError } from '../../contract/refused.ts'
import { buildReturnUrl } from '../../domain/account/account-link.ts'
import type { InProcessApi, InProcessFetch } from '../in-process.ts'
import { type RefusedStatus, renderFailurePage, renderStatusPage } from '../pages/error-pages.ts'
import { redirectTo } from '../redirect.ts'
import { handleInvitationForm } from './accept-invitation.ts'
import { DATA_SCHEMA_PATH, DELETED_PATH, serveDataSchema, showDeletedPage } from './data-page.tsx'
import { formGuard, handleAccountForm, readFormFields } from './forms.ts'
import { finishLink, renderReturningPage } from './identity-link.tsx'
import { showInvitation } from './invitation-page.tsx'
import { accountPages, findAccountPage, showAccountPage } from './pages.ts'
import { beginSignIn, CALLBACK_PATH, finishSignIn, signOut } from './sign-in.ts'
import type { Submission } from './submission.ts'
import { handleUndoForm, showUndo } from './undo-page.tsx'
import { SignInRequired, type Visit } from './visit.ts'

/** The facts about the request, which the parent app passes instead of bindings. */
type AccountEnv = {
  Bindings: RequestFacts & { onAudited(keys: readonly string[]): void }
  Variables: Pick<Visit, 'link'>
}

/** Serves the paths under `/account` (spec/account-centre). `worker` calls this Worker in-process. */
export function accountRoutes(dependencies: Dependencies, worker: InProcessApi): Hono<AccountEnv> {
  const routes = new Hono<AccountEnv>()
    .use(centreGuard(dependencies))
    .use(...formGuard((c, status) => refusalStatusPage(dependencies, c, status)))
    .route('/', otherRoutes(dependencies, worker))
    .route('/', linkRoutes(dependencies, worker))
    .post('/account/sign-out', (c) => signOut(dependencies, visitOf(c)))
  for (const path of Object.keys(accountPages)) {
    routes.use(path, linkGuard(dependencies))
    routes.get(path, (c) => showAccountPage(dependencies, visitOf(c)))
    routes.post(path, async (c) => handleAccountForm(dependencies, await readSubmission(c)))
  }
  return routes
    .all('*', (c) => refusalStatusPage(dependencies, c, findAccountPage(c.req.path) ? 405 : 404))
    .onError((error, c) => respondToError(dependencies, c, error))
}

/**
 * These pages also exist for tenants without an account centre, because their administrators accept invitations
 * there (spec/account-centre#invitations).
 */
const alwaysAvailable: readonly string[] = [...Object.values(invitationPaths), CALLBACK_PATH]

const centreGuard =
  (dependencies: Dependencies): MiddlewareHandler<AccountEnv> =>
  async (c, next) => {
    const { accountCentre } = await dependencies.tenantSettings.get(c.env.tenantId)
    const isAvailable = accountCentre.enabled || alwaysAvailable.includes(c.env.url.pathname)
    return isAvailable ? next() : refusalStatusPage(dependencies, c, 404)
  }

/** Reads the application link with which a page was opened, if any. Runs before anything is shown or changed. */
const linkGuard =
  (dependencies: Dependencies): MiddlewareHandler<AccountEnv> =>
  async (c, next) => {
    c.set('link', await readAccountLink(dependencies, c.env.tenantId, c.env.url))
    await next()
  }

/** Serves the paths under `/account` that are not pages of a signed-in user. */
const otherRoutes = (dependencies: Dependencies, worker: InProcessApi) =>
  new Hono<AccountEnv>()
    .get(CALLBACK_PATH, (c) => finishSignIn(dependencies, visitOf(c), fetchIn(worker, c)))
    .get('/account/identities/answer/:connectorId', (c) => {
      const visit = visitOf(c)
      const { pathname, searchParams } = visit.url
      const id = tryDecode(pathname.slice(pathname.lastIndexOf('/') + 1))
      return searchParams.has('state')
        ? finishLink(dependencies, { ...submissionOf(c), form: new URLSearchParams(), file: null }, id)
        : renderReturningPage(dependencies, visit, id)
    })
    .get(DELETED_PATH, (c) => showDeletedPage(dependencies, visitOf(c)))
    .get(DATA_SCHEMA_PATH, (c) => serveDataSchema(c.env.url))

/** Decodes a path segment. Text that cannot be decoded is not a connector's id. */
function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Serves the pages that anyone with the link may open, signed in or not. The secret in the link authorizes the request.
 */
function linkRoutes(dependencies: Dependencies, worker: InProcessApi) {
  const routes = new Hono<AccountEnv>()
    .get(UNDO_PATH, (c) => showUndo(dependencies, visitOf(c)))
    .post(UNDO_PATH, async (c) => handleUndoForm(dependencies, await readSubmission(c)))
    .all(UNDO_PATH, (c) => refusalStatusPage(dependencies, c, 405))
  for (const path of Object.values(invitationPaths))
    routes
      .use(path, async (c, next) => {
        await next()
        c.header('referrer-policy', 'no-referrer')
        c.header('x-robots-tag', 'noindex')
      })
      .get(path, (c) => showInvitation(dependencies, submissionOf(c)))
      .post(path, async (c) =>
        handleInvitationForm(dependencies, await readSubmission(c), fetchIn(worker, c)),
      )
      .all(path, (c) => refusalStatusPage(dependencies, c, 405))
  return routes
}

const fetchIn =
  (worker: InProcessApi, c: Context<AccountEnv>): InProcessFetch =>
  (request) =>
    worker.fetch(request, c.executionCtx)

const visitOf = (c: Context<AccountEnv>): Visit => ({
  tenantId: c.env.tenantId,
  requestId: c.env.requestId,
  ip: c.env.ip,
  request: c.req.raw,
  url: c.env.url,
  link: c.get('link') ?? null,
})

const submissionOf = (c: Context<AccountEnv>): Omit<Submission, 'form' | 'file'> => ({
  ...visitOf(c),
  onAudited: c.env.onAudited,
  context: c.executionCtx,
})

const readSubmission = async (c: Context<AccountEnv>): Promise<Submission> => ({
  ...submissionOf(c),
  ...(await readFormFields(c.req.raw)),
})

async function refusalStatusPage(
  dependencies: Dependencies,
  c: Context<AccountEnv>,
  status: RefusedStatus,
): Promise<Response> {
  const response = await renderStatusPage(dependencies, visitOf(c), status)
  if (status === 405) response.headers.set('allow', 'GET, HEAD, POST')
  return response
}

/**
 * The maximum length of a page's query, which is stored in a cookie. Neither application links nor our own pages have a
 * longer one.
 */
const MAX_SEARCH = 2048

/** Handles an error. If nobody is signed in, the user is redirected to sign in and then to the requested page. */
async function respondToError(
  dependencies: Dependencies,
  c: Context<AccountEnv>,
  error: Error,
): Promise<Response> {
  const visit = visitOf(c)
  const { pathname, search } = visit.url
  const returnAddress = returnUrlAfter(visit, error)
  if (returnAddress !== null) return redirectTo(returnAddress, 302)
  if (!(error instanceof SignInRequired)) return renderFailurePage(dependencies, visit, error)
  const to = search.length > MAX_SEARCH ? pathname : pathname + search
  return beginSignIn(dependencies, visit, { to, proof: error.proof })
}

/**
 * Returns the URL that takes the browser back to an application that linked to a page which is unavailable to this
 * user. Returns null if the error is to be shown here. Third-party applications do not get the error, because it would
 * reveal how their users sign in. Server errors are also shown here, because they say nothing about the task.
 */
function returnUrlAfter({ request, url, link }: Visit, error: Error): string | null {
  if (!link || link.isThirdParty || request.method === 'POST' || !(error instanceof RefusalError)) return null
  const { status } = error.refusal
  if (status >= 500 || status === 429) return null
  return buildReturnUrl(link, { page: url.pathname, result: 'unavailable' })
}
