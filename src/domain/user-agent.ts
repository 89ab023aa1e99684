/**
 * The names of a browser and its operating system, each null if unknown. These names are the same in every language.
 */
export type Device = { browser: string | null; system: string | null }

/**
 * The browsers in the order in which they are checked. The user agents of newer browsers also contain the names of
 * older ones.
 */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bDuckDuckGo\//, 'DuckDuckGo'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Parses a user agent. Version numbers are left out, because they do not help users recognize a browser. */
export const parseUserAgent = (userAgent: string | null): Device => ({
  browser: nameIn(browsers, userAgent ?? ''),
  system: nameIn(systems, userAgent ?? ''),
})

const nameIn = (names: readonly (readonly [RegExp, string])[], text: string): string | null =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** The kind of device. Programs on a command line, and devices that are not recognized, are `other`. */
export type DeviceKind = 'computer' | 'phone' | 'tablet' | 'other'

/** Returns the kind of a device. Browsers on iPads usually claim to be on a Mac. */
export function getDeviceKind(userAgent: string | null): DeviceKind {
  const { browser, system } = parseUserAgent(userAgent)
  switch (system) {
    case null:
      return browser === null ? 'other' : 'computer'
    case 'iPhone':
      return 'phone'
    case 'iPad':
      return 'tablet'
    case 'Android':
      return /\bMobile\b/.test(userAgent ?? '') ? 'phone' : 'tablet'
    default:
      return 'computer'
  }
}
