import { expect, it } from 'vitest'
import { claimsByScope } from '../../src/domain/applications/claims.ts'
import { testBootData } from './boot-data.ts'
import { phraseCatalogues } from './catalogues.ts'
import { everyPage } from './markup-pages.ts'
import { renderElement } from './render.tsx'

const { openid: _, ...ofUser } = claimsByScope
const claims = Object.values(ofUser)
  .flat()
  .filter((claim) => claim !== 'username')

// "third parties: listed on the consent page"
it.each(Object.entries(phraseCatalogues))(
  'the consent page says in %s what each claim is',
  (language, catalogue) => {
    const page = everyPage.find(({ name }) => name === 'consent of a third party')
    const entries = claims.map((claim) => {
      const requested = { scopes: [], claims: [claim], resources: [] }
      const consent = page?.consent ? { ...page.consent, asked: requested } : null
      const boot = {
        ...testBootData,
        language,
        phrases: catalogue.translation,
        path: '/sign-in/consent',
        consent,
      }
      const list = /consent-list.*?<\/ul>/s.exec(renderElement(boot))?.[0] ?? ''
      return /<li>.*?<span>(.*?)<\/span>/s.exec(list)?.[1] ?? ''
    })
    expect(
      entries.filter((entry) => entry === '' || entry.startsWith('vestibule.') || claims.includes(entry)),
    ).toEqual([])
    // The parts of a name, the two web addresses, language and time zone, roles and permissions, and each address and
    // its flag share an entry.
    expect(new Set(entries).size).toBe(17)
  },
)

it('the consent page lists an operator’s own claims by their names, as text', () => {
  const page = everyPage.find(({ name }) => name === 'consent of a third party')
  const requested = { scopes: ['roles'], claims: ['department', '<b>plan</b>', 'email'], resources: [] }
  const consent = page?.consent ? { ...page.consent, asked: requested } : null
  const html = renderElement({ ...testBootData, path: '/sign-in/consent', consent })
  const list = /consent-list.*?<\/ul>/s.exec(html)?.[0] ?? ''
  const entries = [...list.matchAll(/<li>.*?<span>(.*?)<\/span>/gs)].map(([, text = '']) =>
    text.replaceAll(/<\/?bdi[^>]*>/g, ''),
  )
  expect(entries).toEqual([
    'See your roles and permissions',
    'See your email',
    'See this detail about you: department',
    'See this detail about you: &lt;b&gt;plan&lt;/b&gt;',
  ])
})
