import type { Environment } from '../environment.ts'
import { type Finding, okFinding, unknownFinding, warnFinding } from './findings.ts'

type Resolver = Environment['resolver']

/**
 * Checks the DNS records by which mail servers verify a sender: permitted senders (SPF), keys (DKIM) and the policy
 * (DMARC).
 */
export async function checkSender(domain: string, factoryId: string, resolver: Resolver): Promise<Finding[]> {
  return Promise.all([
    spf(domain, factoryId, resolver),
    dkim(domain, factoryId, resolver),
    dmarc(domain, resolver),
  ])
}

/**
 * Returns the domain of the address from which a connector sends, or null if its configuration contains no address.
 */
export function getSenderDomain(config: Readonly<Record<string, unknown>>): string | null {
  const address = [config.fromEmail, config.accountName].find((value) => typeof value === 'string')
  return /@([\w.-]+\.[a-z\d-]+)>?\s*$/i.exec(String(address ?? ''))?.[1]?.toLowerCase() ?? null
}

type ProviderDns = { spf?: string; selectors?: readonly string[] }

/**
 * The records that providers ask for on their setup pages. A provider without an entry uses selectors that differ per
 * customer.
 */
const providers: Record<string, ProviderDns> = {
  'sendgrid-email-service': { spf: 'sendgrid.net', selectors: ['s1', 's2'] },
  'mailgun-email': { spf: 'mailgun.org', selectors: ['smtp', 'pic', 'mailo', 'k1', 'mx'] },
  'postmark-email': { spf: 'spf.mtasv.net', selectors: ['pm'] },
  'resend-email': { spf: 'amazonses.com', selectors: ['resend'] },
  'aws-ses-mail': { spf: 'amazonses.com' },
  'cloudflare-send-email': { spf: '_spf.mx.cloudflare.net', selectors: ['cf2024-1'] },
}

/** Checks the SPF record. A domain must have exactly one; with more, the check fails (RFC 7208 §4.5). */
async function spf(domain: string, factoryId: string, resolver: Resolver): Promise<Finding> {
  const check = `SPF of ${domain}`
  const records = await lookUpTexts(domain, resolver)
  if (!records) return unknownFinding(check, "we couldn't check this, because the DNS didn't respond")
  const matching = records.filter((record) => /^v=spf1(?: |$)/i.test(record))
  const [record = ''] = matching
  const include = providers[factoryId]?.spf
  if (matching.length > 1)
    return warnFinding(
      check,
      `${matching.length} records, so none of them counts (RFC 7208 §4.5)`,
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
      `"${record}", without include:${include}, which is correct if the provider uses its own bounce domain`,
    )
  return okFinding(check, `"${record}"`)
}

/**
 * Checks the DKIM key. The name of its record contains a selector that only the sender knows (RFC 6376 §3.1).
 */
async function dkim(domain: string, factoryId: string, resolver: Resolver): Promise<Finding> {
  const check = `DKIM of ${domain}`
  const selectors = providers[factoryId]?.selectors
  if (!selectors)
    return unknownFinding(check, "we couldn't check this, because only the mail provider knows the selector")
  const answers = await Promise.all(
    selectors.map(async (selector) => ({
      selector,
      records: await lookUpTexts(`${selector}._domainkey.${domain}`, resolver),
    })),
  )
  const matching = answers.find(({ records }) =>
    records?.some((record) => /(?:^|;)\s*p=[^;\s]/i.test(record)),
  )
  if (matching) return okFinding(check, `found a key at the selector ${matching.selector}`)
  if (answers.every(({ records }) => !records))
    return unknownFinding(check, "we couldn't check this, because the DNS didn't respond")
  return warnFinding(
    check,
    `no key at ${selectors.join(', ')}`,
    'Add the records that the provider shows for this domain. Ignore this if you use your own selector.',
  )
}

/** Checks the DMARC policy of the domain, or of a parent domain if the domain has none (RFC 7489 §6.6.3). */
async function dmarc(domain: string, resolver: Resolver): Promise<Finding> {
  const check = `DMARC of ${domain}`
  const labels = domain.split('.')
  for (let from = 0; from <= labels.length - 2; from++) {
    const at = labels.slice(from).join('.')
    const records = await lookUpTexts(`_dmarc.${at}`, resolver)
    if (!records) return unknownFinding(check, "we couldn't check this, because the DNS didn't respond")
    const record = records.find((text) => /^v=DMARC1\s*(?:;|$)/i.test(text))
    if (record) return okFinding(check, `"${record}"${at === domain ? '' : ` at ${at}`}`)
  }
  return warnFinding(
    check,
    'no record',
    `Add the TXT record "v=DMARC1; p=none; rua=mailto:postmaster@${domain}" at _dmarc.${domain}, and tighten it later.`,
  )
}

/** Returns the TXT records of a name, an empty list if there are none, or null if DNS doesn't respond. */
async function lookUpTexts(name: string, resolver: Resolver): Promise<string[] | null> {
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ENODATA' || code === 'ENOTFOUND' ? [] : null
  }
}
