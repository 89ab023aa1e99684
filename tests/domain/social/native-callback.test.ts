import { expect, it } from 'vitest'
import { type CallbackClient, isNativeCallback } from '../../../src/domain/social/native-callback.ts'

const SCHEME = 'com.example.shop:/cb'
const CLAIMED = 'https://shop.example/cb'
const LOOPBACK = 'http://127.0.0.1/cb'

const shop: CallbackClient = {
  type: 'Native',
  oidcClientMetadata: { redirectUris: [SCHEME, CLAIMED, LOOPBACK] },
  customClientMetadata: {},
}

it.each([
  { address: SCHEME, isOurs: true },
  { address: CLAIMED, isOurs: true },
  { address: LOOPBACK, isOurs: false },
  { address: `${SCHEME}/x`, isOurs: false },
  { address: SCHEME.toUpperCase(), isOurs: false },
  { address: '', isOurs: false },
])('$address leads into the app: $isOurs', ({ address, isOurs }) => {
  expect(isNativeCallback(shop, address)).toBe(isOurs)
})

it.each<{ what: string; client: CallbackClient | undefined }>([
  { what: 'a built-in application', client: undefined },
  { what: 'a site', client: { ...shop, type: 'SPA' } },
  { what: 'a third party', client: { ...shop, customClientMetadata: { isThirdParty: true } } },
])('$what has no app to lead into', ({ client }) => {
  expect(isNativeCallback(client, SCHEME)).toBe(false)
})
