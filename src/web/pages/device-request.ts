import type { DeviceRequest } from '../../contract/sessions/device.ts'
import { toStandardTag } from '../../domain/experience/standard-tag.ts'
import { getPlaceNames, getTimeZone } from '../../domain/place.ts'
import { parseUserAgent } from '../../domain/user-agent.ts'

/**
 * Returns a function that describes where, with what and when a device requested access. The server does this, because
 * the names of countries and the formats of times in browsers may differ.
 */
export const describeDevice =
  (language: string, request: Request) =>
  ({ country, city, userAgent, at }: DeviceRequest): string[] => {
    const tag = toStandardTag(language)
    const { browser, system } = parseUserAgent(userAgent)
    const timeZone = getTimeZone(request)
    const time = new Intl.DateTimeFormat(tag, {
      hour: 'numeric',
      minute: '2-digit',
      timeZone: timeZone ?? 'UTC',
      ...(timeZone === null && { timeZoneName: 'short' }),
    }).format(at)
    return [...getPlaceNames({ city, country }, tag), browser, system, time].filter(
      (text) => typeof text === 'string',
    )
  }
