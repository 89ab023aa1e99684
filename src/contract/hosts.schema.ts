import { z } from 'zod'
import type { HostTable } from './hosts.ts'
import { DEFAULT_TENANT } from './product.ts'
import { OwnId } from './text.schema.ts'

/**
 * `HOSTS`: entries between spaces or commas. `host` is a host of the tenant `default`, `host=tenant` of another, and
 * `*.base=*` gives every tenant the host that begins with its id.
 */
export const Hosts: z.ZodType<HostTable, string> = z.string().transform((setting, { issues }) => {
  const byHost = new Map<string, string>()
  const bases = new Set<string>()

  for (const entry of setting.split(/[\s,]+/).filter(Boolean)) {
    const problem = take(entry)
    if (problem) issues.push({ code: 'custom', input: setting, message: `"${entry}" ${problem}` })
  }
  return { byHost, bases: [...bases] }

  function take(entry: string): string | null {
    const [place = '', tenantId = DEFAULT_TENANT, ...more] = entry.split('=')
    const host = place.toLowerCase()
    if (more.length > 0) return 'has more than one ='
    if (host.startsWith(WILDCARD)) {
      const base = host.slice(WILDCARD.length)
      if (!isHost(base)) return 'does not end with a host'
      if (tenantId !== '*') return 'must be followed by =*'
      bases.add(base)
      return null
    }
    if (!isHost(host)) return 'is not a host, perhaps with a port'
    if (!OwnId.safeParse(tenantId).success) return 'does not name a tenant by its id'
    if ((byHost.get(host) ?? tenantId) !== tenantId) return 'gives a host to a second tenant'
    byHost.set(host, tenantId)
    return null
  }
})

const WILDCARD = '*.'

/** In the form of a request's address: with the characters of a host name, and without the default port of its scheme. */
function isHost(host: string): boolean {
  const url = URL.parse(`https://${host}`)
  const isUsualPort = /:(?:80|443)$/.test(host)
  return url?.host === host && !isUsualPort && /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])(?::\d+)?$/.test(host)
}
