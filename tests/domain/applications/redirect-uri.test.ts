import { describe, expect, it } from 'vitest'
import {
  findRedirectUriProblem,
  type RedirectUriOwner,
  type redirectUriProblems,
} from '../../../src/domain/applications/redirect-uri.ts'

const types = ['SPA', 'Traditional', 'Native', 'MachineToMachine'] as const
const [SPA, TRADITIONAL, NATIVE, MACHINE] = types.map((type): RedirectUriOwner => ({ type }))
const THIRD_PARTY: RedirectUriOwner = { type: 'Traditional', isThirdParty: true }

describe('the problem with a redirect URI', () => {
  it.each<[string, RedirectUriOwner | undefined, keyof typeof redirectUriProblems | null]>([
    ['/back', SPA, 'notUrl'],
    ['https://shop.example/\u00a0', SPA, 'notUrl'],
    ['https://shop.example/#', TRADITIONAL, 'fragment'],
    ['javascript:alert(1)', NATIVE, 'scheme'],
    ['shop:/back', MACHINE, 'scheme'],
    ['com.example.shop:/back', SPA, 'webOnly'],
    ['com.example.shop:/back', TRADITIONAL, 'webOnly'],
    ['com.example.shop:/back', NATIVE, null],
    ['com.example.shop:/back', MACHINE, null],
    ['com.example-2.shop+1:/back', NATIVE, null],
    ['com..shop:/back', NATIVE, 'scheme'],
    ['com.example.:/back', NATIVE, 'scheme'],
    ['http://shop.example/', NATIVE, 'httpElsewhere'],
    ['http://shop.example/', SPA, null],
    ['http://shop.example/', TRADITIONAL, null],
    ['http://shop.example/', MACHINE, null],
    ['http://shop.example/', THIRD_PARTY, 'httpThirdParty'],
    ['https://shop.example/', THIRD_PARTY, null],
    ['http://localhost/', THIRD_PARTY, null],
    ['http://127.0.0.1/', NATIVE, null],
    ['https://127.0.0.1/', NATIVE, 'httpsLoopback'],
    ['https://[::1]/', NATIVE, 'httpsLoopback'],
    ['https://localhost/', SPA, null],
    ['https://shop.example/', NATIVE, null],
  ])(
    'is determined by the URI and the application: %s of %j results in %s',
    (uri, owner = { type: 'SPA' }, problem) => {
      expect(findRedirectUriProblem(uri, owner)).toBe(problem)
    },
  )
})
