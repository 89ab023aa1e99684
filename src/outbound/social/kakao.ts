import { z } from 'zod'
import { ProviderAccountId } from '../provider-answer.ts'
import { codeFlowConnector } from './code-flow.ts'

/** Signs in with Kakao: https://developers.kakao.com/docs/latest/en/kakaologin/rest-api */
export const kakao = codeFlowConnector({
  factoryId: 'kakao-universal',
  description: { en: 'Sign in with a Kakao account' },
  endpoints: {
    authorization: 'https://kauth.kakao.com/oauth/authorize',
    token: 'https://kauth.kakao.com/oauth/token',
    userInfo: 'https://kapi.kakao.com/v2/user/me',
  },
  // https://kauth.kakao.com/.well-known/openid-configuration: code_challenge_methods_supported
  hasPkce: true,
  userInfoMethod: 'POST',
  user: z.object({
    id: ProviderAccountId,
    kakao_account: z
      .object({
        profile: z
          .object({
            nickname: z.string().nullish(),
            profile_image_url: z.string().nullish(),
            is_default_image: z.boolean().nullish(),
          })
          .nullish(),
        email: z.string().nullish(),
        is_email_valid: z.boolean().nullish(),
        is_email_verified: z.boolean().nullish(),
      })
      .nullish(),
  }),
  profile({ id, kakao_account: account }) {
    const { nickname, profile_image_url: avatar, is_default_image: isDefault } = account?.profile ?? {}
    const { email, is_email_valid: isValid, is_email_verified: isVerified } = account ?? {}
    return {
      id,
      name: nickname,
      avatar: isDefault ? null : avatar,
      // Kakao also reports unverified addresses as valid, and these may belong to someone else.
      email: isValid && isVerified ? email : null,
    }
  },
})
