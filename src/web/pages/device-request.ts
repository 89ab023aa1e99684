import type { DeviceRequest } from '../../contract/sessions/device.ts'
import { toStandardTag } from '../../domain/experience/standard-tag.ts'
import { parseUserAgent } from '../../domain/user-agent.ts'
import { timeZoneOf } from '../time-zone.ts'

/**
 * Returns a function that describes where, with what and when a device requested access. The server does this, because
 * the names of countries and the formats of times in browsers may differ.
 */
export const describeDevice =
  (language: string, request: Request) =>
  ({ country, city, userAgent, at }: DeviceRequest): string[] => {
    const tag = toStandardTag(language)
    const names = new Intl.DisplayNames(tag, { type: 'region', fallback: 'none' })
    const countryName = country !== null && /^[A-Z]{2}$/.test(country) ? names.of(country) : undefined
    const { browser, system } = parseUserAgent(userAgent)
    const timeZone = timeZoneOf(request)
    const time = new Intl.DateTimeFormat(tag, {
      hour: 'numeric',
      minute: '2-digit',
      timeZone: timeZone ?? 'UTC',
      ...(timeZone === null && { timeZoneName: 'short' }),
    }).format(at)
    // Some cities have the name of their country.
    const texts = new Set([city, countryName, browser, system, time])
    return [...texts].filter((text) => typeof text === 'string')
  }
