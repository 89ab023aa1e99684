import { expect, it } from 'vitest'
import { getDeviceKind, parseUserAgent } from '../../src/domain/user-agent.ts'

it.each([
  {
    text: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    device: { browser: 'Edge', system: 'Windows' },
  },
  {
    text: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
    device: { browser: 'Safari', system: 'macOS' },
  },
  {
    text: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
    device: { browser: 'Chrome', system: 'iPhone' },
  },
  {
    text: 'Mozilla/5.0 (Linux; Android 16; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/142.0.0.0 Mobile Safari/537.36',
    device: { browser: 'Samsung Internet', system: 'Android' },
  },
  {
    text: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    device: { browser: 'Firefox', system: 'Linux' },
  },
  { text: 'curl/8.5.0', device: { browser: null, system: null } },
  { text: null, device: { browser: null, system: null } },
])('the user agent $text is parsed as $device', ({ text, device }) => {
  expect(parseUserAgent(text)).toEqual(device)
})

it.each([
  { text: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36', kind: 'computer' },
  {
    text: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1',
    kind: 'phone',
  },
  {
    text: 'Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1',
    kind: 'tablet',
  },
  { text: 'Mozilla/5.0 (Linux; Android 16; SM-S931B) Chrome/142.0.0.0 Mobile Safari/537.36', kind: 'phone' },
  { text: 'Mozilla/5.0 (Linux; Android 16; SM-X910) Chrome/142.0.0.0 Safari/537.36', kind: 'tablet' },
  { text: 'Mozilla/5.0 (Unknown) Firefox/145.0', kind: 'computer' },
  { text: 'curl/8.5.0', kind: 'other' },
  { text: null, kind: 'other' },
])('the user agent $text is that of a $kind', ({ text, kind }) => {
  expect(getDeviceKind(text)).toBe(kind)
})
