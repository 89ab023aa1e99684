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
  { address: SCHEME, isAllowed: true },
  { address: CLAIMED, isAllowed: true },
  { address: LOOPBACK, isAllowed: false },
  { address: `${SCHEME}/x`, isAllowed: false },
  { address: SCHEME.toUpperCase(), isAllowed: false },
  { address: '', isAllowed: false },
])('a native app may use the callback URL $address: $isAllowed', ({ address, isAllowed }) => {
  expect(isNativeCallback(shop, address)).toBe(isAllowed)
})

it.each<{ what: string; client: CallbackClient | undefined }>([
  { what: 'a built-in application', client: undefined },
  { what: 'a site', client: { ...shop, type: 'SPA' } },
  { what: 'a third party', client: { ...shop, customClientMetadata: { isThirdParty: true } } },
])('native callback URLs are not available to $what', ({ client }) => {
  expect(isNativeCallback(client, SCHEME)).toBe(false)
})
