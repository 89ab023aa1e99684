import { z } from 'zod'
import type { ConnectorFailureCode } from '../../contract/connectors/connectors.ts'
import { ConnectorFailure } from '../failure.ts'
import { parseJsonResponse } from '../provider-answer.ts'
import type { ProviderResponse } from '../provider-call.ts'
import { withQuery } from '../with-query.ts'
import { readAuthorizationCode, socialConnector } from './social.ts'
import { callSocialProvider, fetchProfile, throwIfTokenRejected } from './social-call.ts'
import { appFields, appItems, endpointFields, endpointItems } from './social-fields.ts'

/**
 * Signs in with WeChat. Users scan a QR code with their phone:
 * https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html
 */
export const wechatWeb = socialConnector({
  factoryId: 'wechat-web',
  description: { en: 'Sign in by scanning a code with WeChat' },
  config: z.object({ ...appFields, ...endpointFields }),
  formItems: [...appItems, ...endpointItems],

  authorizationUri({ appId, authorizationEndpoint }, { state, redirectUri }) {
    const uri = withQuery(authorizationEndpoint ?? 'https://open.weixin.qq.com/connect/qrconnect', {
      appid: appId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'snsapi_login',
      state,
    })
    return { uri: `${uri}#wechat_redirect` }
  },

  async profile({ appId, appSecret, tokenEndpoint, userInfoEndpoint }, callback, context) {
    const tokenResponse = await callSocialProvider(
      withQuery(tokenEndpoint ?? 'https://api.weixin.qq.com/sns/oauth2/access_token', {
        appid: appId,
        secret: appSecret,
        code: readAuthorizationCode(callback),
        grant_type: 'authorization_code',
      }),
      { headers: {} },
      context,
    )
    throwIfTokenRejected(tokenResponse)
    throwErrcode(tokenResponse)
    const { access_token: token, openid } = parseJsonResponse(tokenResponse, Tokens)
    const profile = await fetchProfile(
      withQuery(userInfoEndpoint ?? 'https://api.weixin.qq.com/sns/userinfo', {
        access_token: token,
        openid,
      }),
      { headers: {} },
      context,
    )
    throwErrcode(profile)
    const user = parseJsonResponse(profile, User)
    // A user's `openid` differs between applications, but the `unionid` is the same in all applications of one
    // operator.
    const id = user.unionid || user.openid
    const { nickname: name, headimgurl: avatar } = user
    return { id, name, avatar }
  },
})

const Tokens = z.object({ access_token: z.string().min(1), openid: z.string() })
const User = z.object({
  openid: z.string(),
  unionid: z.string().nullish(),
  nickname: z.string().nullish(),
  headimgurl: z.string().nullish(),
})

const failures: Record<number, ConnectorFailureCode> = {
  40029: 'social_auth_code_invalid',
  40163: 'social_auth_code_invalid',
  42003: 'social_auth_code_invalid',
  40001: 'social_invalid_access_token',
  40014: 'social_invalid_access_token',
}

/** Throws if the response reports an error, which WeChat also sends with the status 200. */
function throwErrcode(answer: ProviderResponse): void {
  const { errcode, errmsg } = parseJsonResponse(answer, WithErrcode)
  if (errcode) throw new ConnectorFailure(failures[errcode] ?? 'general', { detail: { errcode, errmsg } })
}

const WithErrcode = z.looseObject({ errcode: z.number().optional(), errmsg: z.string().optional() })
