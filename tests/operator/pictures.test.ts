import { expect, it } from 'vitest'
import type { ConfigInput } from '../../operator/config/file.schema.ts'
import { freshState, plannedChanges } from './settings.ts'

const HTTP = 'http://cdn.example/logo.png'
const shop = (logoUri: string) => ({
  name: 'Shop',
  type: 'SPA' as const,
  oidcClientMetadata: { redirectUris: ['https://shop.example/cb'], logoUri },
})

it.each<{ place: string; file: ConfigInput }>([
  { place: 'applications.shop.oidcClientMetadata.logoUri', file: { applications: { shop: shop(HTTP) } } },
  {
    place: 'connectors.staff.metadata.logoDark',
    file: {
      connectors: {
        staff: {
          connectorId: 'oidc',
          metadata: {
            target: 'staff',
            name: { en: 'Staff' },
            logo: 'https://a.example/a.png',
            logoDark: HTTP,
          },
          config: { issuer: 'https://a.example', clientId: 'a', clientSecret: 'b' },
        },
      },
    },
  },
  {
    place: 'settings.demoSocial.0.logo',
    file: { settings: { demoSocial: [{ provider: 'google', name: 'G', logo: HTTP, clientId: 'x' }] } },
  },
  { place: 'experience.branding.logoUrl', file: { experience: { branding: { logoUrl: HTTP } } } },
  {
    place: 'experience.layout.pictureUrl',
    file: { experience: { layout: { type: 'Split', pictureUrl: HTTP } } },
  },
])('a plan is rejected if the content security policy blocks a picture: $place', ({ place, file }) => {
  expect(plannedChanges(file).problems).toContain(
    `${place}: this picture is neither on https nor on this server.`,
  )
})

it('a plan may contain pictures on the deployment itself and unchanged pictures', () => {
  const own = { applications: { shop: shop('http://localhost:8787/logo.svg') } }
  expect(plannedChanges(own).problems).toEqual([])
  const stored = { ...shop(HTTP), secret: 's', description: null, customClientMetadata: {}, isAdmin: false }
  const current = { ...freshState, applications: { shop: { ...stored, name: 'Before' } } }
  expect(plannedChanges({ applications: { shop: shop(HTTP) } }, { current }).problems).toEqual([])
})
