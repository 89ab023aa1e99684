import type { BatchItem, BatchResponse } from 'drizzle-orm/batch'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import { refuse } from '../contract/errors.ts'
import { INTERACTION_HEADER, type Interaction } from '../contract/interaction.ts'
import { orRefuse, Refused, refuseWith } from '../contract/refused.ts'
import { checkInteraction, type OidcInteraction } from '../oidc/interactions.ts'
import {
  type InteractionCookie,
  interactionCookieName,
  keptUntil,
  stepCookieName,
} from '../storage/interactions.ts'
import { interactionQueries } from '../storage/oidc-models.ts'

/**
 * The interaction a call belongs to. The cookie is opened before anything else; the rows behind it are read
 * later, in one batch with whatever else the call has to know, and still decide before the body does (contract 1.1).
 */
export type OpenInteraction = {
  uid: string
  cookie: InteractionCookie
  /** The provider's row; refuses when it, or the session it was tied to, is gone. */
  row(): Promise<OidcInteraction>
  /** The same, with whatever else the call has to ask or count. */
  rowAnd<T extends Statements>(statements: T): Promise<{ row: OidcInteraction; answers: BatchResponse<T> }>
  /** Our own record, or the refusal that there is none (yet, or any more). */
  record(row: OidcInteraction): Promise<Interaction>
  /** A look at the record without judging it: which accounts to ask for. */
  peek(): Promise<Interaction | null>
  /** Saves a new revision and hands it to the browser. */
  save(interaction: Interaction): Promise<void>
  /**
   * Nothing of the record counts any more. What the interaction began with is kept, so that a page still open
   * somewhere can start again; `isOver` unless it goes on after a password reset.
   */
  conclude(how: { isOver: boolean }): Promise<void>
}

type Statements = readonly [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]]

export type InteractionVariables = RequestFacts & { interaction: OpenInteraction }

/** Contract 1.1 step 2, the part that needs no I/O (decision 4). */
export function openInteraction(
  dependencies: Dependencies,
): MiddlewareHandler<{ Variables: InteractionVariables }> {
  return async (c, next) => {
    c.set('interaction', await open(dependencies, c, c.var.tenantId))
    await next()
  }
}

async function open(dependencies: Dependencies, c: Context, tenantId: string): Promise<OpenInteraction> {
  const { db, now } = dependencies
  const interactions = dependencies.interactions.of(tenantId)
  const uid = c.req.header(INTERACTION_HEADER) || getCookie(c, '_interaction')
  const cookie = uid && (await interactions.openCookie(uid, getCookie(c, interactionCookieName(uid)), now()))
  if (!uid || !cookie) {
    throw new Refused(
      refuse('session.not_found', { error_description: 'interaction session id cookie not found' }),
    )
  }

  const id = uid
  let known: Promise<Interaction | null> | undefined
  const peek = () => {
    known ??= interactions.read(uid, cookie.revision)
    return known
  }

  async function rowAnd<T extends Statements>(statements: T) {
    const [rows, sessions, users, ...answers] = await db.batch([
      ...interactionQueries(db, tenantId, id),
      ...statements,
    ])
    // Behind the three of the interaction come the answers of `statements`, in their order.
    return {
      row: orRefuse(checkInteraction([rows, sessions, users], now())),
      answers: answers as BatchResponse<T>,
    }
  }

  return {
    uid,
    cookie,
    peek,
    rowAnd,
    async row() {
      return orRefuse(checkInteraction(await db.batch(interactionQueries(db, tenantId, uid)), now()))
    },
    async record(row) {
      const interaction = await peek()
      const isCurrent = interaction && !row.isConcluded && interaction.afterReset === row.reset
      return isCurrent ? interaction : refuseWith('session.verification_session_not_found')
    },
    async save(interaction) {
      const revision = await interactions.write(uid, interaction, cookie.exp, now())
      await hand({ ...cookie, revision })
    },
    async conclude({ isOver }) {
      await hand({ ...cookie, revision: undefined, ...(isOver ? { isConcluded: true } : {}) })
      setCookie(c, stepCookieName(uid), '', { ...cookieAttributes(c), maxAge: 0 })
    },
  }

  async function hand(content: InteractionCookie) {
    const sealed = await interactions.sealCookie(id, content)
    const expires = new Date(keptUntil(content))
    setCookie(c, interactionCookieName(id), sealed, { ...cookieAttributes(c), expires })
  }
}

/** Not readable by script, not sent by other sites' forms, and not over plain http where the page came by https. */
export function cookieAttributes(c: Context) {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: new URL(c.req.url).protocol === 'https:',
  } as const
}
