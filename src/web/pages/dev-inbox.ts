import { Hono } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { PRODUCT_NAME } from '../../contract/product.ts'
import { escapeHtml } from '../../domain/escape-html.ts'
import { type DevMessage, findDevMessage, listDevMessages } from '../../storage/connectors/dev-messages.ts'
import { commonHeaders } from '../answer-headers.ts'
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
        messages.map(({ id: _id, subject, html, ...message }) => ({
          ...message,
          ...(subject !== null && { subject }),
          ...(html !== null && { html }),
        })),
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
    .get('/dev/inbox/:id', async (c) => {
      const message = await findDevMessage(dependencies.db, c.var.tenantId, c.req.param('id'))
      if (!message) return c.notFound()
      const { view, theme } = c.req.query()
      return messagePage(dependencies, c.req.raw, { tenantId: c.var.tenantId, message, view, theme })
    })
    .get('/dev/inbox/:id/html', async (c) => {
      const message = await findDevMessage(dependencies.db, c.var.tenantId, c.req.param('id'))
      return message?.html ? mailResponse(message.html, c.req.query('theme')) : c.notFound()
    })
}

/** Phone numbers are stored as digits. A plus sign in a query is decoded as a space. */
const addressOf = (to: string | undefined) => to?.replace(/^[\s+]+/, '').trim() || undefined

const REFRESH_SECONDS = 5

type PageDependencies = Pick<Dependencies, 'experience'>

async function inboxPage(
  dependencies: PageDependencies,
  request: Request,
  inbox: { tenantId: string; to: string | undefined; messages: readonly DevMessage[] },
): Promise<Response> {
  const { head, tail, headers } = await openPage(dependencies, request, inbox.tenantId, 'Inbox')
  return new Response(head + renderInbox(inbox) + tail, {
    headers: { ...headers, refresh: String(REFRESH_SECONDS) },
  })
}

/** Shows one message as mail clients show it, as its text, or as the source of its HTML. */
async function messagePage(
  dependencies: PageDependencies,
  request: Request,
  {
    tenantId,
    message,
    view,
    theme,
  }: { tenantId: string; message: DevMessage; view: string | undefined; theme: string | undefined },
): Promise<Response> {
  const { head, tail, headers } = await openPage(
    dependencies,
    request,
    tenantId,
    message.subject ?? channels[message.channel],
  )
  const shownView =
    message.html && (view === 'text' || view === 'source') ? view : message.html ? 'html' : 'text'
  const body = renderMessagePage(message, shownView, theme === 'dark' ? 'dark' : 'light')
  return new Response(head + body + tail, { headers })
}

async function openPage({ experience }: PageDependencies, request: Request, tenantId: string, title: string) {
  const nonce = generateNonce()
  const { look, styles } = getBrandLook(await experience.get(tenantId))
  const frame = renderHtmlFrame({
    language: 'en',
    title: `${title} · ${PRODUCT_NAME}`,
    platform: detectPlatform(request.headers.get('user-agent')),
    nonce,
    look,
    styles: styles + STYLES,
    modules: [],
    boot: null,
  })
  return { ...frame, headers: createSecurityHeaders({ nonce, formTargets: [], frames: ["'self'"] }) }
}

/**
 * Returns the HTML of a message for the frame. It may load pictures but run no scripts, and its links open in a new
 * tab. The theme replaces that of the browser, which no page can set for a frame in every browser.
 */
function mailResponse(html: string, theme: string | undefined): Response {
  const condition = theme === 'dark' ? '(min-width:0)' : '(max-width:0)'
  const themed = html.replaceAll(/\(prefers-color-scheme:\s*dark\)/g, condition)
  // A sandboxed frame must not show the pages that the links lead to.
  const head = /<head[^>]*>/.exec(themed)?.[0] ?? ''
  return new Response(themed.replace(head, `${head}<base target="_blank">`), {
    headers: {
      ...commonHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': MAIL_POLICY,
      'cache-control': 'no-store',
    },
  })
}

const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox"

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

function renderMessage(message: DevMessage): string {
  const { id, to, channel, code, language, subject, body } = message
  return [
    `<article aria-label="${channels[channel]} to ${escapeHtml(to)}">`,
    `<h2>${escapeHtml(to)}</h2>`,
    `<p class="inbox-code">${escapeHtml(code)}</p>`,
    renderFacts(message),
    subject === null
      ? `<p class="inbox-subject"><a href="/dev/inbox/${escapeHtml(id)}">Open</a></p>`
      : `<p class="inbox-subject" lang="${escapeHtml(language)}"><a href="/dev/inbox/${escapeHtml(id)}">${escapeHtml(subject)}</a></p>`,
    `<pre lang="${escapeHtml(language)}">${escapeHtml(body)}</pre></article>`,
  ].join('')
}

function renderFacts({ channel, type, language, createdAt }: DevMessage): string {
  const time = new Date(createdAt).toISOString()
  return (
    `<p class="inbox-facts">${channels[channel]} · ${escapeHtml(type)} · ${escapeHtml(language)} · ` +
    `<time datetime="${time}">${time.slice(0, 19).replace('T', ' ')} UTC</time></p>`
  )
}

const views = { html: 'HTML', text: 'Text', source: 'Source' }
const themes = { light: 'Light', dark: 'Dark' }

function renderMessagePage(
  message: DevMessage,
  view: keyof typeof views,
  theme: keyof typeof themes,
): string {
  const { id, to, language, subject, body, html } = message
  const path = `/dev/inbox/${escapeHtml(id)}`
  const linkTo = (label: string, query: string, isCurrent: boolean) =>
    `<a href="${path}?${query}"${isCurrent ? ' aria-current="true"' : ''}>${label}</a>`
  const tabs = Object.entries(views).map(([name, label]) =>
    linkTo(label, `view=${name}&amp;theme=${theme}`, name === view),
  )
  const switches = Object.entries(themes).map(([name, label]) =>
    linkTo(label, `view=html&amp;theme=${name}`, name === theme),
  )
  const lang = `lang="${escapeHtml(language)}"`
  // A template of an operator may have no text, in which case the body is the HTML.
  const text = body === html ? 'This message has no text.' : body
  return [
    `<main class="inbox"><p><a class="inbox-back" href="/dev/inbox?to=${encodeURIComponent(to)}">‹ Inbox</a></p>`,
    `<h1 ${lang}>${escapeHtml(subject ?? to)}</h1><p class="inbox-note">${escapeHtml(to)}</p>${renderFacts(message)}`,
    html === null ? '' : `<nav class="inbox-tabs" aria-label="View">${tabs.join('')}</nav>`,
    view === 'html' ? `<nav class="inbox-tabs" aria-label="Theme">${switches.join('')}</nav>` : '',
    view === 'html'
      ? `<iframe class="inbox-mail" title="The message" sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox" src="${path}/html?theme=${theme}"></iframe>`
      : `<pre ${view === 'text' ? lang : 'lang="en"'}>${escapeHtml(view === 'text' ? text : (html ?? ''))}</pre>`,
    '</main>',
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
.inbox-subject a{display:inline-block;padding-block:10px;color:inherit}
.inbox-back{display:inline-block;min-inline-size:44px;padding-block:12px;color:inherit}
.inbox-tabs{display:flex;gap:8px;margin-block-start:16px}
.inbox-tabs a{min-block-size:44px;box-sizing:border-box;padding:11px 16px;font:var(--font-label-2);color:inherit;text-decoration:none;border:1px solid var(--color-line-border);border-radius:var(--radius)}
.inbox-tabs a[aria-current]{color:var(--color-brand-text);background:var(--color-brand-fill);border-color:transparent}
.inbox-mail{display:block;inline-size:100%;block-size:720px;margin-block-start:16px;border:1px solid var(--color-line-border);border-radius:var(--radius);resize:vertical}
.inbox pre{margin:8px 0 0;padding:12px 16px;font:var(--font-body-2);white-space:pre-wrap;overflow-wrap:anywhere;background:var(--color-bg-layer-1);border-radius:var(--radius)}
`
