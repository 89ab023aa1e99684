import { describe, expect, it } from 'vitest'
import type { CallFailure } from '../../client/api/api.ts'
import { getReactionToFailure } from '../../client/journeys/reaction-table.ts'
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
  return getReactionToFailure(
    { code, message: 'of the server', data },
    boot,
    createSocialFailureReactions(id, boot),
  )
}

const NEXT = 'Try again, or choose another way to sign in.'
/** The words of the specification for 'error.invalid_connector_auth' and 'error.invalid_connector_request'. */
const AUTH_INVALID = 'The authorization is invalid.'
const DATA_INVALID = 'The connector data is invalid.'

describe('a social provider’s failure', () => {
  it.each([
    [
      'connector.authorization_failed',
      { error: 'access_denied' },
      'You didn’t finish signing in with GitHub.',
    ],
    ['connector.general', { error: 'interaction_required' }, 'GitHub didn’t allow this sign-in.'],
    ['connector.general', undefined, 'We can’t reach GitHub right now.'],
    ['connector.general', { error: 'server_error' }, 'We can’t reach GitHub right now.'],
    ['connector.general', { error: 'temporarily_unavailable' }, 'We can’t reach GitHub right now.'],
    ['connector.invalid_config', { issues: [] }, 'We can’t reach GitHub right now.'],
    ['entity.not_found', undefined, 'We can’t reach GitHub right now.'],
    [
      'connector.general',
      { error: 'the callback has no code' },
      `${DATA_INVALID} Something went wrong while signing in with GitHub.`,
    ],
    [
      'connector.authorization_failed',
      undefined,
      `${DATA_INVALID} Something went wrong while signing in with GitHub.`,
    ],
    [
      'connector.invalid_response',
      undefined,
      `${DATA_INVALID} Something went wrong while signing in with GitHub.`,
    ],
    [
      'connector.social_invalid_access_token',
      undefined,
      `${DATA_INVALID} Something went wrong while signing in with GitHub.`,
    ],
    [
      'connector.social_invalid_id_token',
      undefined,
      `${DATA_INVALID} Something went wrong while signing in with GitHub.`,
    ],
    ['user.identity_already_in_use', undefined, 'This GitHub account is already linked to another account.'],
    [
      'connector.social_auth_code_invalid',
      undefined,
      `${AUTH_INVALID} The sign-in with GitHub has expired or was already used.`,
    ],
    [
      'session.connector_session_not_found',
      undefined,
      `${AUTH_INVALID} The sign-in with GitHub has expired or was already used.`,
    ],
    [
      'session.connector_validation_session_not_found',
      undefined,
      `${AUTH_INVALID} The sign-in with GitHub has expired or was already used.`,
    ],
  ] as const)(
    'is explained for the error %s with the data %o, including what to do next',
    (code, data, message) => {
      expect(reactionOf(code, data)).toMatchObject({
        kind: 'inline',
        about: null,
        message: `${message} ${NEXT}`,
      })
    },
  )

  it('is no error if the user cancelled, which the message shows by its tone', () => {
    expect(reactionOf('connector.authorization_failed', { error: 'access_denied' })).toHaveProperty(
      'tone',
      'calm',
    )
    expect(reactionOf('connector.general', { error: 'server_error' })).not.toHaveProperty('tone')
  })

  it('is explained in the page language with the localized provider name', () => {
    expect(reactionOf('connector.general', undefined, 'ja')).toMatchObject({
      message: '現在、ギットハブに接続できません。もう一度試すか、別のログイン方法を選択してください。',
    })
    expect(reactionOf('connector.general', undefined, 'de')).toMatchObject({
      message: expect.stringMatching(/^GitHub ist zurzeit nicht erreichbar\. Versuchen Sie es erneut/),
    })
  })

  it.each([
    ['en', /^The authorization is invalid\. The sign-in with GitHub has expired/],
    ['de', /^Die Autorisierung ist ungültig\. Die Anmeldung mit GitHub ist abgelaufen/],
    ['hi', /^अनुमति मान्य नहीं है। GitHub से/],
    ['ja', /^認可が無効です。ギットハブでのログインは/],
    ['zh-TW', /^授權無效。透過 GitHub 的登入/],
    ['th', /^การให้สิทธิ์ไม่ถูกต้อง การเข้าสู่ระบบด้วย GitHub/],
    ['ar', /^التفويض غير صالح\. انتهت صلاحية تسجيل الدخول/],
  ] as const)('begins with the specified sentence, punctuated as usual in %s', (language, message) => {
    expect(reactionOf('connector.social_auth_code_invalid', undefined, language)).toMatchObject({
      message: expect.stringMatching(message),
    })
  })

  it('is explained with the connector id if the connector has been deleted', () => {
    expect(reactionOf('connector.general', undefined, 'en', 'gone')).toMatchObject({
      message: `We can’t reach gone right now. ${NEXT}`,
    })
  })

  it("is shown with the server's message if the error does not concern the provider", () => {
    expect(reactionOf('user.suspended')).toEqual({
      kind: 'inline',
      about: null,
      message: 'of the server',
      hasToast: true,
    })
  })
})
