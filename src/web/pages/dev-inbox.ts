import { Hono } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { PRODUCT_NAME } from '../../contract/product.ts'
import { escapeHtml } from '../../domain/escape-html.ts'
import { type DevMessage, listDevMessages } from '../../storage/connectors/dev-messages.ts'
import { createSecurityHeaders, generateNonce } from '../security-headers.ts'
import { renderHtmlFrame } from './frame.ts'
import { getBrandLook } from './page-assets.ts'
import { detectPlatform } from './page-context.ts'

/**
 * Serves the inbox of a development server, as a page and as JSON (spec/pages#dev-inbox). In other environments,
 * these routes respond with 404.
 */
export function devInboxRoutes(dependencies: Dependencies) {
  const routes = new Hono<{ Variables: RequestFacts }>()
  if (dependencies.settings.environment !== 'development') return routes
  return routes
    .get('/dev/inbox.json', async (c) => {
      const messages = await listDevMessages(dependencies.db, c.var.tenantId, addressOf(c.req.query('to')))
      return c.json(
        messages.map(({ subject, ...message }) => ({ ...message, ...(subject !== null && { subject }) })),
        200,
        { 'Cache-Control': 'no-store' },
      )
    })
    .get('/dev/inbox', async (c) => {
      const to = addressOf(c.req.query('to'))
      return inboxPage(dependencies, c.req.raw, {
        tenantId: c.var.tenantId,
        to,
        messages: await listDevMessages(dependencies.db, c.var.tenantId, to),
      })
    })
}

/** Phone numbers are stored as digits. A plus sign in a query is decoded as a space. */
const addressOf = (to: string | undefined) => to?.replace(/^[\s+]+/, '').trim() || undefined

const REFRESH_SECONDS = 5

async function inboxPage(
  { experience }: Pick<Dependencies, 'experience'>,
  request: Request,
  inbox: { tenantId: string; to: string | undefined; messages: readonly DevMessage[] },
): Promise<Response> {
  const nonce = generateNonce()
  const { look, styles } = getBrandLook(await experience.get(inbox.tenantId))
  const { head, tail } = renderHtmlFrame({
    language: 'en',
    title: `Inbox · ${PRODUCT_NAME}`,
    platform: detectPlatform(request.headers.get('user-agent')),
    nonce,
    look,
    styles: styles + STYLES,
    modules: [],
    boot: null,
  })
  const headers = {
    ...createSecurityHeaders({ nonce, formTargets: [] }),
    refresh: String(REFRESH_SECONDS),
  }
  return new Response(head + renderInbox(inbox) + tail, { headers })
}

function renderInbox({ to, messages }: { to: string | undefined; messages: readonly DevMessage[] }): string {
  return [
    '<main class="inbox"><h1>Inbox</h1>',
    '<p class="inbox-note">Emails and text messages from this development server are shown here instead ' +
      `of being sent. The page reloads every ${REFRESH_SECONDS} seconds.</p>`,
    '<form class="inbox-search"><label for="to">Address or phone number</label>',
    `<input id="to" name="to" type="search" value="${escapeHtml(to ?? '')}"><button>Show</button></form>`,
    messages.length === 0
      ? `<p class="inbox-empty">${to ? `No messages to ${escapeHtml(to)} yet.` : 'No messages yet.'}</p>`
      : `<ol class="inbox-list">${messages.map((message) => `<li>${renderMessage(message)}</li>`).join('')}</ol>`,
    '</main>',
  ].join('')
}

const channels = { email: 'Email', sms: 'SMS' }

function renderMessage({ to, channel, type, code, language, subject, body, createdAt }: DevMessage): string {
  const time = new Date(createdAt).toISOString()
  return [
    `<article aria-label="${channels[channel]} to ${escapeHtml(to)}">`,
    `<h2>${escapeHtml(to)}</h2>`,
    `<p class="inbox-code">${escapeHtml(code)}</p>`,
    `<p class="inbox-facts">${channels[channel]} · ${escapeHtml(type)} · ${escapeHtml(language)} · `,
    `<time datetime="${time}">${time.slice(0, 19).replace('T', ' ')} UTC</time></p>`,
    subject === null
      ? ''
      : `<p class="inbox-subject" lang="${escapeHtml(language)}">${escapeHtml(subject)}</p>`,
    `<pre lang="${escapeHtml(language)}">${escapeHtml(body)}</pre></article>`,
  ].join('')
}

/** The page uses the same CSS variables as the sign-in pages (spec/experience#css-variables). */
const STYLES = `
body{background:var(--color-bg-body-base)}
.inbox{max-inline-size:720px;margin:0 auto;padding:40px clamp(20px,6vw,56px) 64px}
.inbox h1{font:var(--font-headline-1)}
.inbox-note,.inbox-empty{margin-block-start:8px;font:var(--font-body-1);color:var(--color-type-secondary)}
.inbox-search{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin-block:24px}
.inbox-search label{inline-size:100%;font:var(--font-label-2)}
.inbox-search input{flex:1;min-block-size:44px;padding:8px 16px;font:var(--font-body-1);color:inherit;background:var(--color-bg-float);border:1px solid var(--color-line-border);border-radius:var(--radius)}
.inbox-search button{min-block-size:44px;padding:8px 24px;font:var(--font-label-1);color:var(--color-brand-text);background:var(--color-brand-fill);border:0;border-radius:var(--radius);cursor:pointer}
.inbox-list{margin:0;padding:0;list-style:none;display:grid;gap:16px}
.inbox-list article{display:grid;grid-template-columns:1fr auto;gap:4px 16px;padding:20px 24px;background:var(--color-bg-float);border-radius:16px;box-shadow:var(--color-shadow-1)}
.inbox-list h2{font:var(--font-title-2);overflow-wrap:anywhere}
.inbox-code{grid-row:1/3;grid-column:2;align-self:center;font:var(--font-headline-1);letter-spacing:.08em;user-select:all}
.inbox-facts{font:var(--font-body-2);color:var(--color-type-secondary)}
.inbox-subject,.inbox-list pre{grid-column:1/-1}
.inbox-subject{margin-block-start:12px;font:var(--font-title-3)}
.inbox-list pre{margin:8px 0 0;padding:12px 16px;font:var(--font-body-2);white-space:pre-wrap;overflow-wrap:anywhere;background:var(--color-bg-layer-1);border-radius:var(--radius)}
`
