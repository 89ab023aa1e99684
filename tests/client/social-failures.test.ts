import { describe, expect, it } from 'vitest'
import type { CallFailure } from '../../client/api/api.ts'
import { reactToFailure } from '../../client/journeys/reaction-table.ts'
import { createSocialFailureReactions } from '../../client/journeys/social-failures.ts'
import type { BuiltInLanguage } from '../../src/contract/experience/languages.ts'
import { bootExperience, testBootData } from './boot-data.ts'
import { phraseCatalogues } from './catalogues.ts'

const github = {
  id: 'c1',
  target: 'github',
  platform: 'Universal' as const,
  name: { en: 'GitHub', ja: 'ギットハブ' },
  logo: '/github.svg',
}
const experience = { ...bootExperience, socialConnectors: [github] }

function reactionOf(code: CallFailure['code'], data?: unknown, language: BuiltInLanguage = 'en', id = 'c1') {
  const boot = { ...testBootData, experience, language, phrases: phraseCatalogues[language].translation }
  return reactToFailure(
    { code, message: 'of the server', data },
    boot,
    createSocialFailureReactions(id, boot),
  )
}

const NEXT = 'Try again, or choose another way to sign in.'

describe('a failure of a social provider', () => {
  it.each([
    ['connector.authorization_failed', { error: 'access_denied' }, 'You canceled the sign-in with GitHub.'],
    ['connector.general', { error: 'interaction_required' }, 'GitHub refused the sign-in.'],
    ['connector.general', undefined, 'GitHub cannot be reached at the moment.'],
    ['connector.general', { error: 'server_error' }, 'GitHub cannot be reached at the moment.'],
    ['connector.general', { error: 'temporarily_unavailable' }, 'GitHub cannot be reached at the moment.'],
    ['connector.invalid_config', { issues: [] }, 'GitHub cannot be reached at the moment.'],
    ['entity.not_found', undefined, 'GitHub cannot be reached at the moment.'],
    ['connector.general', { error: 'the callback has no code' }, 'The answer from GitHub could not be used.'],
    ['connector.authorization_failed', undefined, 'The answer from GitHub could not be used.'],
    ['connector.invalid_response', undefined, 'The answer from GitHub could not be used.'],
    ['connector.social_invalid_access_token', undefined, 'The answer from GitHub could not be used.'],
    ['connector.social_invalid_id_token', undefined, 'The answer from GitHub could not be used.'],
    ['user.identity_already_in_use', undefined, 'This GitHub account is already linked to another account.'],
    [
      'connector.social_auth_code_invalid',
      undefined,
      'The sign-in with GitHub has expired or was already used.',
    ],
    [
      'session.connector_session_not_found',
      undefined,
      'The sign-in with GitHub has expired or was already used.',
    ],
    [
      'session.connector_validation_session_not_found',
      undefined,
      'The sign-in with GitHub has expired or was already used.',
    ],
  ] as const)('is explained for %s %o, including what to do next', (code, data, message) => {
    expect(reactionOf(code, data)).toEqual({ kind: 'inline', field: null, message: `${message} ${NEXT}` })
  })

  it('is explained in the language of the page, with the localized provider name', () => {
    expect(reactionOf('connector.general', undefined, 'ja')).toMatchObject({
      message: '現在、ギットハブに接続できません。もう一度試すか、別のログイン方法を選択してください。',
    })
    expect(reactionOf('connector.general', undefined, 'de')).toMatchObject({
      message: expect.stringMatching(/^GitHub ist zurzeit nicht erreichbar\. Versuchen Sie es erneut/),
    })
  })

  it('is explained with the id of a connector that no longer exists', () => {
    expect(reactionOf('connector.general', undefined, 'en', 'gone')).toMatchObject({
      message: `gone cannot be reached at the moment. ${NEXT}`,
    })
  })

  it('keeps the message of the server if it does not concern the provider', () => {
    expect(reactionOf('user.suspended')).toEqual({
      kind: 'inline',
      field: null,
      message: 'of the server',
      hasToast: true,
    })
  })
})
