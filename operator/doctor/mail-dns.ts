import type { Environment } from '../environment.ts'
import { type Finding, ok, unknown, warn } from './findings.ts'

type Resolver = Environment['resolver']

/** What other mail servers ask about a sender: who may send (SPF), who signs (DKIM), what to do if neither fits (DMARC). */
export async function examineSender(
  domain: string,
  factoryId: string,
  resolver: Resolver,
): Promise<Finding[]> {
  return Promise.all([
    spf(domain, factoryId, resolver),
    dkim(domain, factoryId, resolver),
    dmarc(domain, resolver),
  ])
}

/** The domain of the address a connector sends from; null when its configuration has none. */
export function senderDomain(config: Readonly<Record<string, unknown>>): string | null {
  const address = [config.fromEmail, config.accountName].find((value) => typeof value === 'string')
  return /@([\w.-]+\.[a-z\d-]+)>?\s*$/i.exec(String(address ?? ''))?.[1]?.toLowerCase() ?? null
}

type ProviderDns = { spf?: string; selectors?: readonly string[] }

/** What the providers' set-up pages ask for. Whoever has none here gives selectors of its own making. */
const providers: Record<string, ProviderDns> = {
  'sendgrid-email-service': { spf: 'sendgrid.net', selectors: ['s1', 's2'] },
  'mailgun-email': { spf: 'mailgun.org', selectors: ['smtp', 'pic', 'mailo', 'k1', 'mx'] },
  'postmark-email': { spf: 'spf.mtasv.net', selectors: ['pm'] },
  'resend-email': { spf: 'amazonses.com', selectors: ['resend'] },
  'aws-ses-mail': { spf: 'amazonses.com' },
  'cloudflare-send-email': { spf: '_spf.mx.cloudflare.net', selectors: ['cf2024-1'] },
}

/** RFC 7208: exactly one, or none of them counts. */
async function spf(domain: string, factoryId: string, resolver: Resolver): Promise<Finding> {
  const check = `SPF of ${domain}`
  const records = await texts(domain, resolver)
  if (!records) return unknown(check, 'could not be checked: no answer from the DNS')
  const found = records.filter((record) => /^v=spf1(?: |$)/i.test(record))
  const [record = ''] = found
  const include = providers[factoryId]?.spf
  if (found.length > 1)
    return warn(check, `${found.length} records, of which none counts (RFC 7208 §4.5)`, 'Make one of them.')
  if (found.length === 0)
    return warn(
      check,
      'no record',
      `Add the TXT record "v=spf1 ${include ? `include:${include} ` : 'with what sends your mail '}~all".`,
    )
  if (/(?:^| )\+?all(?: |$)/i.test(record))
    return warn(check, `"${record}" lets anybody send`, 'End it with ~all or -all.')
  if (include && !record.toLowerCase().includes(include))
    return ok(
      check,
      `"${record}"; the provider's own bounce domain may stand for it instead of include:${include}`,
    )
  return ok(check, `"${record}"`)
}

/** RFC 6376: the key lies under a selector that only the sender knows. */
async function dkim(domain: string, factoryId: string, resolver: Resolver): Promise<Finding> {
  const check = `DKIM of ${domain}`
  const selectors = providers[factoryId]?.selectors
  if (!selectors)
    return unknown(check, 'could not be checked: the selector is known to the mail provider alone')
  const answers = await Promise.all(
    selectors.map(async (selector) => ({
      selector,
      records: await texts(`${selector}._domainkey.${domain}`, resolver),
    })),
  )
  const found = answers.find(({ records }) => records?.some((record) => /(?:^|;)\s*p=[^;\s]/i.test(record)))
  if (found) return ok(check, `a key at the selector ${found.selector}`)
  if (answers.every(({ records }) => !records))
    return unknown(check, 'could not be checked: no answer from the DNS')
  return warn(
    check,
    `no key at ${selectors.join(', ')}`,
    "Add the records the provider's page for this domain shows; with a selector of your own this says nothing.",
  )
}

/** RFC 7489: at the domain itself, else at the one above it. */
async function dmarc(domain: string, resolver: Resolver): Promise<Finding> {
  const check = `DMARC of ${domain}`
  const labels = domain.split('.')
  for (let from = 0; from <= labels.length - 2; from++) {
    const at = labels.slice(from).join('.')
    const records = await texts(`_dmarc.${at}`, resolver)
    if (!records) return unknown(check, 'could not be checked: no answer from the DNS')
    const record = records.find((text) => /^v=DMARC1\s*(?:;|$)/i.test(text))
    if (record) return ok(check, `"${record}"${at === domain ? '' : ` at ${at}`}`)
  }
  return warn(
    check,
    'no record',
    `Add the TXT record "v=DMARC1; p=none; rua=mailto:postmaster@${domain}" at _dmarc.${domain}, and tighten it later.`,
  )
}

/** What the DNS has; nothing is [], no answer is null. */
async function texts(name: string, resolver: Resolver): Promise<string[] | null> {
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ENODATA' || code === 'ENOTFOUND' ? [] : null
  }
}
