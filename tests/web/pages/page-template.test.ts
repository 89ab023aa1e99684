import { describe, expect, it } from 'vitest'
import {
  createPageTemplate,
  type PageValues,
  responseFromTemplate,
} from '../../../src/web/pages/page-template.ts'

/** ADR-0045 */
describe('a page from a template', () => {
  const none: PageValues = { interaction: '', restart: '', country: '', application: '' }
  const renderPage = async ({ interaction, restart, country, application }: PageValues, nonce: string) =>
    new Response(
      `<style nonce="${nonce}">a{}\r\nb{}\rc{content:"é"}</style>${interaction} <b>${restart}</b> ${interaction} ${country} ${application} end`,
      {
        headers: { 'content-security-policy': `style-src 'nonce-${nonce}'; form-action 'self'`, 'x-a': 'b' },
      },
    )
  const styles = '<style>a{}\r\nb{}\rc{content:"é"}</style>'

  it('contains the values of its own user, whatever their length, and none of the previous user’s', async () => {
    const template = await createPageTemplate(renderPage)
    for (const values of [
      { ...none, interaction: 'abcdefgh', restart: '/r', country: 'DE' },
      { ...none, interaction: 'abcdefgh', restart: '/much/longer', application: '<p>Payroll Pro</p>' },
      { ...none, interaction: 'ijklmnop' },
      { ...none, interaction: 'q', restart: '/much/longer/again' },
      { ...none, restart: '/r' },
    ]) {
      const page = await responseFromTemplate(template, { values, formTargets: [] }).text()
      expect(page).toBe(
        `${styles}${values.interaction} <b>${values.restart}</b> ${values.interaction} ${values.country} ${values.application} end`,
      )
    }
  })

  it('does not change when the template is filled in for the next page', async () => {
    const template = await createPageTemplate(renderPage)
    const [first, second] = ['abcdefgh', 'ijklmnop'].map((interaction) =>
      responseFromTemplate(template, {
        values: { ...none, interaction, restart: '/r' },
        formTargets: [],
      }),
    )
    expect(await second?.text()).toContain('ijklmnop <b>/r</b>')
    expect(await first?.text()).toContain('abcdefgh <b>/r</b>')
  })

  it('allows its styles by their hash, computed after normalising line breaks as browsers do', async () => {
    const answer = responseFromTemplate(await createPageTemplate(renderPage), {
      values: none,
      formTargets: [],
    })
    const parsedStyle = new TextEncoder().encode('a{}\nb{}\nc{content:"é"}')
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', parsedStyle)).toBase64()
    expect(answer.headers.get('content-security-policy')).toBe(
      `style-src 'sha256-${hash}'; form-action 'self'`,
    )
    expect(answer.headers.get('x-a')).toBe('b')
  })

  it('allows only its interaction’s form targets', async () => {
    const template = await createPageTemplate(renderPage)
    const targets = [['https://a.example'], ['https://b.example'], []]
    const policies = targets.map((list) => {
      const { headers } = responseFromTemplate(template, { values: none, formTargets: list })
      headers.set('x-request-id', list.join())
      return headers.get('content-security-policy')?.split("'self'")[1]
    })
    expect(policies).toEqual([' https://a.example', ' https://b.example', ''])
    const [list = []] = targets
    expect(
      responseFromTemplate(template, { values: none, formTargets: list }).headers.has('x-request-id'),
    ).toBe(false)
  })
})
