import type { BrowserContext } from 'playwright'
import { type Exchange, kilobytes, recordTraffic, totalBytes } from './traffic.ts'

/** Records the requests of a first visit, compressed as an edge would compress them. */
export async function firstVisit(context: BrowserContext, url: string): Promise<readonly Exchange[]> {
  const page = await context.newPage()
  const traffic = await recordTraffic(page)
  await page.goto(url, { waitUntil: 'networkidle' })
  return traffic.stop()
}

/** Describes requests like this: "3 requests: HTML 10.4 kB, JS 20.1 kB; by script: 2 requests: JS 3.0 kB". */
export function describeWeight(exchanges: readonly Exchange[]): string {
  const own = exchanges.filter(({ isFromScript }) => !isFromScript)
  const later = exchanges.filter(({ isFromScript }) => isFromScript)
  return [summary(own), ...(later.length > 0 ? [`by script: ${summary(later)}`] : [])].join('; ')
}

const KINDS = { Document: 'HTML', Script: 'JS', Stylesheet: 'CSS', Font: 'fonts', Image: 'images' } as const

function summary(exchanges: readonly Exchange[]): string {
  const sizes = Object.entries(KINDS).flatMap(([kind, name]) => {
    const bytes = weightOf(exchanges, kind)
    return bytes > 0 ? [`${name} ${kilobytes(bytes)}`] : []
  })
  const others = exchanges.filter(({ kind }) => !Object.hasOwn(KINDS, kind))
  const rest = totalBytes(others.map(({ content }) => content))
  return `${exchanges.length} ${exchanges.length === 1 ? 'request' : 'requests'}: ${[...sizes, ...(rest > 0 ? [`other ${kilobytes(rest)}`] : [])].join(', ')}`
}

export const weightOf = (exchanges: readonly Exchange[], expectedKind: string): number =>
  totalBytes(exchanges.filter(({ kind }) => kind === expectedKind).map(({ content }) => content))
