import type { Environment } from '../environment.ts'
import { type Finding, okFinding, unknownFinding, warnFinding } from './findings.ts'

type Resolver = Environment['resolver']

/** The records that mail servers look up about a sender: permitted senders (SPF), keys (DKIM), policy (DMARC). */
export async function checkSender(domain: string, factoryId: string, resolver: Resolver): Promise<Finding[]> {
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

/** Records that the set-up pages of the providers ask for. Providers without an entry use individual selectors. */
const providers: Record<string, ProviderDns> = {
  'sendgrid-email-service': { spf: 'sendgrid.net', selectors: ['s1', 's2'] },
  'mailgun-email': { spf: 'mailgun.org', selectors: ['smtp', 'pic', 'mailo', 'k1', 'mx'] },
  'postmark-email': { spf: 'spf.mtasv.net', selectors: ['pm'] },
  'resend-email': { spf: 'amazonses.com', selectors: ['resend'] },
  'aws-ses-mail': { spf: 'amazonses.com' },
  'cloudflare-send-email': { spf: '_spf.mx.cloudflare.net', selectors: ['cf2024-1'] },
}

/** RFC 7208 §4.5: a domain has exactly one record, or the check fails. */
async function spf(domain: string, factoryId: string, resolver: Resolver): Promise<Finding> {
  const check = `SPF of ${domain}`
  const records = await texts(domain, resolver)
  if (!records) return unknownFinding(check, 'could not be checked: no answer from the DNS')
  const matching = records.filter((record) => /^v=spf1(?: |$)/i.test(record))
  const [record = ''] = matching
  const include = providers[factoryId]?.spf
  if (matching.length > 1)
    return warnFinding(
      check,
      `${matching.length} records, of which none counts (RFC 7208 §4.5)`,
      'Merge them into one record.',
    )
  if (matching.length === 0)
    return warnFinding(
      check,
      'no record',
      `Add the TXT record "v=spf1 ${include ? `include:${include} ` : 'the servers that send your mail '}~all".`,
    )
  if (/(?:^| )\+?all(?: |$)/i.test(record))
    return warnFinding(check, `"${record}" permits every sender`, 'End it with ~all or -all.')
  if (include && !record.toLowerCase().includes(include))
    return okFinding(
      check,
      `"${record}"; without include:${include}, which is correct if the provider uses a bounce domain of its own`,
    )
  return okFinding(check, `"${record}"`)
}

/** RFC 6376 §3.1: the name of the key has a selector that only the sender knows. */
async function dkim(domain: string, factoryId: string, resolver: Resolver): Promise<Finding> {
  const check = `DKIM of ${domain}`
  const selectors = providers[factoryId]?.selectors
  if (!selectors)
    return unknownFinding(check, 'could not be checked: only the mail provider knows the selector')
  const answers = await Promise.all(
    selectors.map(async (selector) => ({
      selector,
      records: await texts(`${selector}._domainkey.${domain}`, resolver),
    })),
  )
  const matching = answers.find(({ records }) =>
    records?.some((record) => /(?:^|;)\s*p=[^;\s]/i.test(record)),
  )
  if (matching) return okFinding(check, `key found at the selector ${matching.selector}`)
  if (answers.every(({ records }) => !records))
    return unknownFinding(check, 'could not be checked: no answer from the DNS')
  return warnFinding(
    check,
    `no key at ${selectors.join(', ')}`,
    'Add the records that the provider shows for this domain; ignore this with a selector of your own.',
  )
}

/** RFC 7489 §6.6.3: at the domain itself, else at a domain above it. */
async function dmarc(domain: string, resolver: Resolver): Promise<Finding> {
  const check = `DMARC of ${domain}`
  const labels = domain.split('.')
  for (let from = 0; from <= labels.length - 2; from++) {
    const at = labels.slice(from).join('.')
    const records = await texts(`_dmarc.${at}`, resolver)
    if (!records) return unknownFinding(check, 'could not be checked: no answer from the DNS')
    const record = records.find((text) => /^v=DMARC1\s*(?:;|$)/i.test(text))
    if (record) return okFinding(check, `"${record}"${at === domain ? '' : ` at ${at}`}`)
  }
  return warnFinding(
    check,
    'no record',
    `Add the TXT record "v=DMARC1; p=none; rua=mailto:postmaster@${domain}" at _dmarc.${domain}, and tighten it later.`,
  )
}

/** The TXT records of a name: [] if there are none, null if the DNS does not answer. */
async function texts(name: string, resolver: Resolver): Promise<string[] | null> {
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ENODATA' || code === 'ENOTFOUND' ? [] : null
  }
}
