import { z } from 'zod'
import type { Network } from '../connector-context.ts'
import { callProvider } from '../provider-call.ts'

/** Looks up TXT records by DNS over HTTPS, in the JSON format of public resolvers (spec/connectors#dns-resolvers). */

/** The time limit for one resolver, in milliseconds. */
const TIMEOUT = 3_000

/** The response codes of DNS that say what the zone contains (RFC 1035 §4.1.1): no error, and no such name. */
const CONCLUSIVE = [0, 3]
/** The type of TXT records (RFC 1035 §3.2.2). */
const TXT = 16

const DnsAnswer = z.object({
  Status: z.int(),
  /** True if the answer was shortened, so that the record may be missing. */
  TC: z.boolean().optional(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).optional(),
})

/**
 * Returns what one resolver says about a TXT record: whether a record with exactly this value exists, or null if there
 * is no conclusive answer. A redirect, an answer that is too long and anything but the JSON format are not conclusive.
 */
export async function hasTxtRecord(
  resolver: string,
  { name, value }: { name: string; value: string },
  { fetch }: Pick<Network, 'fetch'>,
): Promise<boolean | null> {
  const url = new URL(resolver)
  url.searchParams.set('name', name)
  url.searchParams.set('type', 'TXT')
  try {
    const { status, text, isWhole } = await callProvider(
      url.href,
      { headers: { accept: 'application/dns-json' } },
      // Private addresses are allowed: only the deployment's operator can configure the resolvers.
      { fetch, timeout: TIMEOUT, allowPrivateTargets: true },
    )
    const answer = status === 200 && isWhole ? DnsAnswer.safeParse(JSON.parse(text)) : null
    if (!answer?.success || answer.data.TC || !CONCLUSIVE.includes(answer.data.Status)) return null
    return (answer.data.Answer ?? []).some(({ type, data }) => type === TXT && textOf(data) === value)
  } catch {
    return null
  }
}

/**
 * Returns the text of a record, which some resolvers write as it is and others as quoted strings, of which a long text
 * has several (RFC 1035 §5.1).
 */
function textOf(data: string): string {
  if (!data.startsWith('"')) return data
  return [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
    .map(([, part = '']) => part.replaceAll(/\\(.)/g, '$1'))
    .join('')
}
